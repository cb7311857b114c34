package io.mysqlpq.testing.random;

import java.util.List;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;

/** Lists columns of values that MySQL and Trino might compare differently: all kinds of collations, and of numbers and times near their limits. */
public final class NastyColumns
{
    /** Equal but for case, accents, trailing spaces or NUL, equal to several characters, or ordered otherwise in UTF-16 than in UTF-8. */
    public static final List<String> TEXTS = List.of(
            "", " ", "a", "A", "a ", "a  ", "á", "a\u0301", "aa", "ab", "AB", "a\t", "a\0", "a\u200b", "b", "Z", "z", "ß", "ss", "SS", "ﬀ", "ff", "æ", "ae",
            "?", "??", "%", "_", "a%", "a_b", "a|b", "|", "\\", "a\\b", "'", "~", "é", "É", "ü", "€", "漢", "㈱", "\uE000", "\uFFFD", "\uFFFF", "😀", "𝄞", "😀a", "1", "01");

    public static final List<NastyColumn> TEXT_COLUMNS = List.of(
            text("exact", "VARCHAR(20) COLLATE utf8mb4_0900_bin"),
            text("bin", "VARCHAR(20) COLLATE utf8mb4_bin"),
            text("ai", "VARCHAR(20) COLLATE utf8mb4_0900_ai_ci"),
            text("general", "VARCHAR(20) COLLATE utf8mb4_general_ci"),
            text("german", "VARCHAR(20) COLLATE latin1_german2_ci"),
            text("latin_bin", "VARCHAR(20) COLLATE latin1_bin"),
            text("bmp", "VARCHAR(20) COLLATE utf8mb3_general_ci"),
            text("wide", "VARCHAR(20) COLLATE utf16_unicode_ci"),
            text("hungarian", "VARCHAR(20) COLLATE cp1250_general_ci"),
            text("chinese", "VARCHAR(20) COLLATE gbk_chinese_ci"),
            // One of the characters that this set has twice.
            text("japanese", "VARCHAR(20) COLLATE cp932_japanese_ci", "CONVERT(X'878A' USING cp932)", "CONVERT(X'FA58' USING cp932)"),
            text("japanese_bin", "VARCHAR(20) COLLATE cp932_bin", "CONVERT(X'878A' USING cp932)", "CONVERT(X'FA58' USING cp932)"),
            text("ascii", "VARCHAR(20) COLLATE ascii_general_ci"),
            text("long_text", "LONGTEXT COLLATE utf8mb4_0900_ai_ci"),
            text("exact_text", "TEXT COLLATE utf8mb4_0900_bin"));

    public static final List<NastyColumn> CHAR_COLUMNS = List.of(
            character("char_exact", "CHAR(10) COLLATE utf8mb4_0900_bin"),
            character("char_bin", "CHAR(10) COLLATE utf8mb4_bin"),
            character("char_ai", "CHAR(10) COLLATE utf8mb4_0900_ai_ci"),
            character("char_latin", "CHAR(10) COLLATE latin1_swedish_ci"));

    public static final List<NastyColumn> ENUMERATIONS = List.of(
            new NastyColumn("choice", "ENUM('z', 'b', 'A', 'ß', '😀') COLLATE utf8mb4_bin", NastyKind.TEXT, texts(TEXTS), List.of("1", "2", "3", "4", "5"), true),
            new NastyColumn("latin_choice", "ENUM('z', 'b', 'A', 'é') COLLATE latin1_general_ci", NastyKind.TEXT, texts(TEXTS), List.of("1", "2", "3", "4"), true),
            new NastyColumn("flags", "SET('b', 'A')", NastyKind.CHARACTER, Stream.of("''", "'b'", "'A'", "'b,A'", "'A,b'", "'B'").map("CAST(%s AS CHAR(3))"::formatted).toList(), List.of("0", "1", "2", "3"), false));

    public static final List<NastyColumn> NUMBERS = List.of(
            numbers("tiny", "TINYINT", "TINYINT ", "-128", "-1", "0", "1", "2", "127"),
            numbers("small", "SMALLINT", "SMALLINT ", "-32768", "-1", "0", "1", "2", "3"),
            numbers("i", "INT", "INTEGER ", "-2147483648", "-1", "0", "1", "2", "3", "2147483647"),
            numbers("big", "BIGINT", "BIGINT ", "-999999999999", "-1", "0", "1", "2", "3", "999999999999"),
            numbers("iu", "INT UNSIGNED", "BIGINT ", "0", "1", "2", "4294967295"),
            numbers("bu", "BIGINT UNSIGNED", "DECIMAL ", "0", "1", "2", "18446744073709551615"),
            numbers("d", "DECIMAL(12, 2)", "DECIMAL ", "-1.50", "0.00", "0.01", "1.00", "2.50", "9999999999.99"));

    public static final List<NastyColumn> OTHERS = List.of(
            quoted("day", "DATE", "DATE ", "0001-01-01", "1999-12-31", "2024-02-29", "9999-12-31"),
            quoted("moment", "DATETIME(3)", "TIMESTAMP ", "2024-02-29 00:00:00.000", "2024-02-29 00:00:00.001", "1969-12-31 23:59:59.999"),
            quoted("clock", "TIME(2)", "TIME ", "00:00:00.00", "00:00:00.01", "23:59:59.99"),
            new NastyColumn("bytes", "VARBINARY(10)", NastyKind.BYTES, List.of("X''", "X'00'", "X'61'", "X'6100'", "X'FF'"), List.of("X''", "X'00'", "X'61'", "X'6100'", "X'FF'"), false));

    public static final List<NastyColumn> COLUMNS = Stream.of(TEXT_COLUMNS, CHAR_COLUMNS, ENUMERATIONS, NUMBERS, OTHERS).flatMap(List::stream).toList();

    /** At the bounds of their types, stored off-page, or of rarer types: for comparisons of values more than of filters. */
    public static final List<NastyColumn> EXTREMES = List.of(
            extreme("t_u", "TINYINT UNSIGNED", "SMALLINT ", "0", "1", "255"),
            extreme("s_u", "SMALLINT UNSIGNED", "INTEGER ", "0", "65535"),
            extreme("m_s", "MEDIUMINT", "INTEGER ", "-8388608", "-1", "8388607"),
            extreme("m_u", "MEDIUMINT UNSIGNED", "INTEGER ", "0", "16777215"),
            extreme("big_s", "BIGINT", "BIGINT ", "-9223372036854775808", "-1", "0", "9223372036854775807"),
            extreme("dec_l", "DECIMAL(38, 10)", "DECIMAL ", "-9999999999999999999999999999.9999999999", "0.0000000001", "9999999999999999999999999999.9999999999"),
            extreme("dec_s", "DECIMAL(18, 18)", "DECIMAL ", "0.000000000000000001", "-0.500000000000000000"),
            new NastyColumn("bit_one", "BIT(1)", NastyKind.BOOLEAN, List.of("true", "false"), List.of("b'0'", "b'1'"), false),
            new NastyColumn("year_", "YEAR", NastyKind.YEAR, List.of("DATE '1901-01-01'", "DATE '1970-01-01'", "DATE '1970-01-02'", "DATE '2155-01-01'"), List.of("1901", "1970", "2155"), false),
            quoted("dt_s", "DATETIME", "TIMESTAMP ", "1000-01-01 00:00:00", "9999-12-31 23:59:59"),
            quoted("dt_u", "DATETIME(6)", "TIMESTAMP ", "2024-02-29 01:02:03.000004", "1969-12-31 23:59:59.999999"),
            quoted("time_u", "TIME(6)", "TIME ", "00:00:00.000001", "23:59:59.999999"),
            instant("ts_s", "TIMESTAMP", "1970-01-01 00:00:01", "2038-01-19 03:14:07"),
            instant("ts_u", "TIMESTAMP(6)", "1970-01-01 00:00:01.999999", "2024-11-03 05:30:00.000004", "2024-11-03 06:30:00.000004"),
            new NastyColumn("dbl", "DOUBLE", NastyKind.APPROXIMATE, List.of("1e0", "-1.5e0", "1e308"), List.of("1", "-1.5", "-1.7976931348623157e308", "5e-324", "0.1", "1e308"), false),
            new NastyColumn("flt", "FLOAT", NastyKind.APPROXIMATE, List.of("REAL '1.5'", "REAL '-3.25'"), List.of("1.5", "-3.25", "1000000", "0"), false),
            bytes("fixed", "BINARY(5)", "X'0000000000'", "X'FF00000000'", "X'6162636465'"),
            bytes("blob_off", "BLOB", "X''", "X'00'", "REPEAT(X'00FF', 10000)", "REPEAT(X'61', 9000)"),
            text("text_off", "TEXT COLLATE utf8mb4_0900_ai_ci", "REPEAT('x', 20000)", "CONCAT(REPEAT('é', 9000), ' ')"),
            text("latin_off", "MEDIUMTEXT COLLATE latin1_swedish_ci", "REPEAT('é', 20000)"),
            text("padded", "VARCHAR(300) COLLATE utf8mb4_unicode_ci", "REPEAT(_utf8mb4 X'F09F9880', 300)", "CONCAT(REPEAT('a', 290), '          ')"),
            text("two_bytes", "VARCHAR(20) COLLATE ucs2_general_ci"),
            text("four_bytes", "VARCHAR(20) COLLATE utf32_unicode_ci"),
            text("little", "VARCHAR(20) COLLATE utf16le_general_ci"),
            text("national", "VARCHAR(20) COLLATE gb18030_chinese_ci"),
            text("taiwan", "VARCHAR(20) COLLATE big5_chinese_ci"),
            text("korean", "VARCHAR(20) COLLATE euckr_korean_ci"),
            text("czech", "VARCHAR(20) COLLATE latin2_czech_cs"),
            text("russian", "VARCHAR(20) COLLATE koi8r_general_ci"),
            text("kana", "VARCHAR(20) COLLATE utf8mb4_ja_0900_as_cs_ks"),
            text("danish", "VARCHAR(20) COLLATE utf8mb4_da_0900_ai_ci"),
            text("old_german", "VARCHAR(20) COLLATE utf8mb4_german2_ci"),
            character("thai", "CHAR(10) COLLATE tis620_thai_ci"),
            character("char_wide", "CHAR(10) COLLATE utf16_bin"),
            new NastyColumn("empty_choice", "ENUM('', 'x', ' y') COLLATE utf8mb4_0900_ai_ci", NastyKind.TEXT, texts(TEXTS), List.of("''", "2", "3"), true),
            new NastyColumn("digits", "NUMERIC(50, 10)", NastyKind.LONG_NUMBER, List.of("DECIMAL '0.5'", "DECIMAL '-1'"), List.of("0.5", "-1", "9999999999999999999999999999999999999999.9999999999"), false),
            new NastyColumn("document", "JSON", NastyKind.DOCUMENT, List.of(), List.of("'1'", "'null'", "'\"x\"'", "'[]'", "'{}'", "'true'"), false));

    private NastyColumns()
    {}

    /** Trino's literal of any text. */
    public static String text(String text)
    {
        return text.codePoints().mapToObj("\\+%06x"::formatted).collect(joining("", "U&'", "'"));
    }

    private static List<String> texts(List<String> texts)
    {
        return texts.stream().map(NastyColumns::text).toList();
    }

    private static NastyColumn text(String name, String definition, String... furtherValues)
    {
        List<String> values = Stream.concat(TEXTS.stream().map(RandomText::literal), Stream.of(furtherValues)).toList();
        return new NastyColumn(name, definition, NastyKind.TEXT, texts(TEXTS), values, true);
    }

    private static NastyColumn character(String name, String definition)
    {
        return new NastyColumn(name, definition, NastyKind.CHARACTER, TEXTS.stream().map(text -> "CAST(%s AS CHAR(10))".formatted(text(text))).toList(), TEXTS.stream().map(RandomText::literal).toList(), false);
    }

    private static NastyColumn numbers(String name, String definition, String type, String... values)
    {
        return new NastyColumn(name, definition, NastyKind.NUMBER, Stream.of(values).map(value -> "%s'%s'".formatted(type, value)).toList(), List.of(values), false);
    }

    private static NastyColumn quoted(String name, String definition, String type, String... values)
    {
        List<String> literals = Stream.of(values).map("'%s'"::formatted).toList();
        return new NastyColumn(name, definition, NastyKind.TIME, literals.stream().map(type::concat).toList(), literals, false);
    }

    private static NastyColumn extreme(String name, String definition, String type, String... values)
    {
        NastyColumn column = numbers(name, definition, type, values);
        return new NastyColumn(name, definition, NastyKind.EXTREME, column.literals(), column.values(), false);
    }

    // Values are of UTC; the session that inserts them has that time zone.
    private static NastyColumn instant(String name, String definition, String... values)
    {
        List<String> literals = Stream.of(values).map("TIMESTAMP '%s UTC'"::formatted).toList();
        return new NastyColumn(name, definition, NastyKind.INSTANT, literals, Stream.of(values).map("'%s'"::formatted).toList(), false);
    }

    private static NastyColumn bytes(String name, String definition, String... values)
    {
        return new NastyColumn(name, definition, NastyKind.BYTES, Stream.of(values).filter(value -> value.startsWith("X")).toList(), List.of(values), false);
    }
}
