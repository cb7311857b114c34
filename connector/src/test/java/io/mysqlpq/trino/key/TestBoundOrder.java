package io.mysqlpq.trino.key;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.mysqlpq.trino.key.BoundOrder.mayPrecede;
import static org.assertj.core.api.Assertions.assertThat;

class TestBoundOrder
{
    private static final KeyColumn NUMBER = KeyColumn.integer("number").withNullable();
    private static final KeyColumn NAME = KeyColumn.text("name", "utf8mb4", "utf8mb4_bin");
    private static final KeyValue NULL = KeyValue.fromProtocol(NUMBER, null);

    @Test
    void testIntegers()
    {
        assertOrder(NUMBER, number("9"), number("10"));
        assertOrder(NUMBER, number("-10"), number("-9"));
        assertOrder(NUMBER, number("9223372036854775807"), number("18446744073709551615"));
        assertOrder(NUMBER.withDescending(), number("10"), number("9"));
    }

    @Test
    void testNulls()
    {
        assertOrder(NUMBER, NULL, number("-9223372036854775808"));
        assertOrder(NUMBER.withDescending(), number("-9223372036854775808"), NULL);
    }

    @Test
    void testLaterColumnDecides()
    {
        List<KeyColumn> columns = ImmutableList.of(NAME, NUMBER);
        KeyBound low = bound(text("61"), number("1"));
        KeyBound high = bound(text("61"), number("2"));
        assertThat(mayPrecede(columns, low, high)).isTrue();
        assertThat(mayPrecede(columns, high, low)).isFalse();
        assertThat(mayPrecede(columns, low, low)).isFalse();
    }

    @Test
    void testTextsAreLeftToMysql()
    {
        assertThat(mayPrecede(ImmutableList.of(NAME), bound(text("61")), bound(text("62")))).isTrue();
        assertThat(mayPrecede(ImmutableList.of(NAME), bound(text("62")), bound(text("61")))).isTrue();
    }

    private static void assertOrder(KeyColumn column, KeyValue first, KeyValue second)
    {
        assertThat(mayPrecede(ImmutableList.of(column), bound(first), bound(second))).isTrue();
        assertThat(mayPrecede(ImmutableList.of(column), bound(second), bound(first))).isFalse();
    }

    private static KeyBound bound(KeyValue... values)
    {
        return new KeyBound(ImmutableList.copyOf(values));
    }

    private static KeyValue number(String digits)
    {
        return KeyValue.fromProtocol(NUMBER, digits);
    }

    private static KeyValue text(String hex)
    {
        return KeyValue.fromProtocol(NAME, hex);
    }
}
