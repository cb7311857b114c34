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
    void testOtherNumbers()
    {
        assertOrder(KeyColumn.of("d", KeyEncoding.DECIMAL), "-0.50", "0.05");
        assertOrder(KeyColumn.of("d", KeyEncoding.DECIMAL), "9.00", "10.00");
        assertOrder(KeyColumn.of("d", KeyEncoding.DOUBLE), "-1e+300", "4.9e-324");
        assertOrder(KeyColumn.of("d", KeyEncoding.DOUBLE), "9e+00", "1e+01");
    }

    @Test
    void testDatesAndBytes()
    {
        assertOrder(KeyColumn.of("d", KeyEncoding.DATE), "0000-00-00", "2020-00-00");
        assertOrder(KeyColumn.of("d", KeyEncoding.DATE).withDescending(), "2020-01-01", "2020-00-00");
        assertOrder(KeyColumn.of("d", KeyEncoding.DATETIME), "2020-00-00 00:00:00.9", "2020-01-01 00:00:00.0");
        assertOrder(KeyColumn.of("b", KeyEncoding.BINARY), "61", "6100");
        assertOrder(KeyColumn.of("b", KeyEncoding.BINARY), "9f", "a0");
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
    void testTextsAndTimesAreLeftToMysql()
    {
        assertThat(mayPrecede(ImmutableList.of(NAME), bound(text("61")), bound(text("62")))).isTrue();
        assertThat(mayPrecede(ImmutableList.of(NAME), bound(text("62")), bound(text("61")))).isTrue();
        KeyColumn time = KeyColumn.of("t", KeyEncoding.TIME);
        assertThat(mayPrecede(ImmutableList.of(time), bound(new TimeKeyValue("00:00:01")), bound(new TimeKeyValue("-00:00:01")))).isTrue();
    }

    private static void assertOrder(KeyColumn column, String first, String second)
    {
        assertOrder(column, KeyValue.fromProtocol(column, first), KeyValue.fromProtocol(column, second));
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
