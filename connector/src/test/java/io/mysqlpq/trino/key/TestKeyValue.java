package io.mysqlpq.trino.key;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestKeyValue
{
    private static final KeyColumn NUMBER = KeyColumn.integer("n");
    private static final KeyColumn TEXT = KeyColumn.text("t", "utf8mb4", "utf8mb4_bin");

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "7", "-9223372036854775808", "18446744073709551615"})
    void testIntegers(String digits)
    {
        assertThat(KeyValue.fromProtocol(NUMBER, digits)).isEqualTo(new IntegerKeyValue(digits));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+1", "-0", "01", "1.0", "1e3", " 1", "1 OR 1=1", "0x10", "18446744073709551616", "-9223372036854775809", "１"})
    void testNoIntegers(String digits)
    {
        assertThatThrownBy(() -> KeyValue.fromProtocol(NUMBER, digits)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "61626364", "f09f9880"})
    void testTexts(String hex)
    {
        assertThat(KeyValue.fromProtocol(TEXT, hex)).isEqualTo(new TextKeyValue(hex));
    }

    @ParameterizedTest
    @ValueSource(strings = {"6", "6G", "61'", "' OR 1=1 --", "0x61", "AB"})
    void testNoTexts(String hex)
    {
        assertThatThrownBy(() -> KeyValue.fromProtocol(TEXT, hex)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void testLongestText()
    {
        assertThat(new TextKeyValue("ab".repeat(3072)).hex()).hasSize(6144);
        assertThatThrownBy(() -> new TextKeyValue("ab".repeat(3073))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void testNullFitsOnlyNullableColumns()
    {
        assertThat(KeyValue.fromProtocol(NUMBER, null).fits(NUMBER)).isFalse();
        assertThat(KeyValue.fromProtocol(NUMBER, null).fits(NUMBER.withNullable())).isTrue();
    }

    @Test
    void testHostileCollation()
    {
        assertThatThrownBy(() -> KeyColumn.text("t", "utf8mb4", "x OR 1=1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyColumn.text("t", "utf8mb4 0x61", "utf8mb4_bin")).isInstanceOf(IllegalArgumentException.class);
    }
}
