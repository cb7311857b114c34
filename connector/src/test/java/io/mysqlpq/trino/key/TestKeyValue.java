package io.mysqlpq.trino.key;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

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

    @ParameterizedTest
    @CsvSource({
            "DECIMAL, 0.50", "DECIMAL, -12.000000000000000000000000000001", "DOUBLE, -1.7976931348623157e+308", "DOUBLE, 0e+00",
            "DATE, 2020-00-00", "DATETIME, 2026-11-21 15:00:00.123456", "DATETIME, 0000-00-00 00:00:00", "TIME, -838:59:59.9", "BINARY, 00ff"})
    void testOtherEncodings(KeyEncoding encoding, String value)
    {
        KeyColumn column = KeyColumn.of("c", encoding);
        assertThat(KeyValue.fromProtocol(column, value).toProtocol()).contains(value);
        assertThat(KeyValue.fromProtocol(column, value).fits(column)).isTrue();
        assertThat(KeyValue.fromProtocol(column, value).fits(TEXT)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {
            "DECIMAL, 1e3", "DECIMAL, .5", "DECIMAL, 1.", "DECIMAL, 01.5", "DECIMAL, 1 OR 1", "DECIMAL, ''", "DOUBLE, 1", "DOUBLE, 1e5", "DOUBLE, 1e+999",
            "DOUBLE, nan", "DOUBLE, 1e+00 OR 1", "DATE, 2020-1-1", "DATE, 2020-01-01' OR '", "DATETIME, 2020-01-01", "DATETIME, 2020-01-01 00:00:00.",
            "DATETIME, 2020-01-01T00:00:00", "TIME, 1:00:00", "TIME, 00:60:00", "TIME, 00:00:00' OR '", "BINARY, 6", "BINARY, 6G", "BINARY, 61'"})
    void testNoValuesOfOtherEncodings(KeyEncoding encoding, String value)
    {
        assertThatThrownBy(() -> KeyValue.fromProtocol(KeyColumn.of("c", encoding), value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", quoteCharacter = '"', value = {
            "2026-11-21, DATE'2026-11-21'", "0007-01-01, DATE'0007-01-01'", "0000-00-00, 0", "2020-00-00, 20200000", "2020-05-00, 20200500",
            "2000-02-29, DATE'2000-02-29'", "0000-01-01, DATE'0000-01-01'", "0000-02-29, none", "0999-00-00, none", "2021-02-29, none", "2021-02-31, none"})
    void testLiteralsOfDates(String date, String literal)
    {
        assertThat(new DateKeyValue(date).literal()).isEqualTo(Optional.ofNullable(literal));
        assertThat(new DateKeyValue(date).hasLiteral()).isEqualTo(literal != null);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", quoteCharacter = '"', value = {
            "2026-11-21 15:00:00.10, TIMESTAMP'2026-11-21 15:00:00.10'", "0000-00-00 00:00:00.00, 0", "0000-00-00 00:00:00.01, none", "0000-00-00 00:00:01, none",
            "2020-00-00 01:02:03.00, 20200000010203", "2020-00-00 01:02:03.50, none", "2021-02-31 00:00:00, none"})
    void testLiteralsOfDatetimes(String dateTime, String literal)
    {
        assertThat(new DatetimeKeyValue(dateTime).literal()).isEqualTo(Optional.ofNullable(literal));
        assertThat(new DatetimeKeyValue(dateTime).hasLiteral()).isEqualTo(literal != null);
    }

    @Test
    void testColumnsReadByRange()
    {
        assertThat(columnsReadByRange(NUMBER, TEXT)).isEqualTo(2);
        assertThat(columnsReadByRange(NUMBER, TEXT.withPrefixLength(3), NUMBER)).isEqualTo(1);
        assertThat(columnsReadByRange(TEXT.withPrefixLength(3), NUMBER)).isZero();
        assertThat(columnsReadByRange(KeyColumn.of("b", KeyEncoding.BINARY).withPrefixLength(3), NUMBER)).isEqualTo(1);
        assertThat(columnsReadByRange(NUMBER.withListedUpTo("1023"), NUMBER)).isEqualTo(2);
        assertThat(columnsReadByRange(NUMBER.withListedUpTo("1024"), NUMBER)).isZero();
        assertThat(columnsReadByRange(NUMBER.withListedUpTo("18446744073709551615"), NUMBER)).isZero();
    }

    private static int columnsReadByRange(KeyColumn... columns)
    {
        return new IndexKey("PRIMARY", true, List.of(columns)).columnsReadByRange();
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
