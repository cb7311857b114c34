package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.testing.random.RandomText;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

/** Lays out a table of values that MySQL and Trino might compare differently: all kinds of collations, and of numbers and times near their limits. */
final class NastyTable
{
    /** Equal but for case, accents, trailing spaces or NUL, equal to several characters, or ordered otherwise in UTF-16 than in UTF-8. */
    static final List<String> TEXTS = ImmutableList.of(
            "", " ", "a", "A", "a ", "a  ", "á", "a\u0301", "aa", "ab", "AB", "a\t", "a\0", "a\u200b", "b", "Z", "z", "ß", "ss", "SS", "ﬀ", "ff", "æ", "ae",
            "?", "??", "%", "_", "a%", "a_b", "a|b", "|", "\\", "a\\b", "'", "~", "é", "É", "ü", "€", "漢", "㈱", "\uE000", "\uFFFD", "\uFFFF", "😀", "𝄞", "😀a", "1", "01");

    /**
     * A column of the table.
     *
     * @param literals Trino's, of values that it may hold and of some that it may not
     * @param values MySQL's
     */
    record Column(String name, String definition, List<String> literals, List<String> values, boolean like)
    {
        String value(Random random)
        {
            return random.nextInt(9) == 0 ? "NULL" : values.get(random.nextInt(values.size()));
        }

        String literal(Random random)
        {
            return literals.get(random.nextInt(literals.size()));
        }

        /** Columns with which Trino compares this one. */
        boolean isLike(Column other)
        {
            return typeName().equals(other.typeName());
        }

        private String typeName()
        {
            return definition.replaceFirst("[ (].*", "");
        }
    }

    static final List<Column> TEXT_COLUMNS = ImmutableList.of(
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

    static final List<Column> CHAR_COLUMNS = ImmutableList.of(
            character("char_exact", "CHAR(10) COLLATE utf8mb4_0900_bin"),
            character("char_bin", "CHAR(10) COLLATE utf8mb4_bin"),
            character("char_ai", "CHAR(10) COLLATE utf8mb4_0900_ai_ci"),
            character("char_latin", "CHAR(10) COLLATE latin1_swedish_ci"));

    static final List<Column> ENUMERATIONS = ImmutableList.of(
            new Column("choice", "ENUM('z', 'b', 'A', 'ß', '😀') COLLATE utf8mb4_bin", texts(TEXTS), ImmutableList.of("1", "2", "3", "4", "5"), true),
            new Column("latin_choice", "ENUM('z', 'b', 'A', 'é') COLLATE latin1_general_ci", texts(TEXTS), ImmutableList.of("1", "2", "3", "4"), true),
            new Column("flags", "SET('b', 'A')", Stream.of("''", "'b'", "'A'", "'b,A'", "'A,b'", "'B'").map("CAST(%s AS CHAR(3))"::formatted).toList(), ImmutableList.of("0", "1", "2", "3"), false));

    static final List<Column> NUMBERS = ImmutableList.of(
            numbers("tiny", "TINYINT", "TINYINT ", "-128", "-1", "0", "1", "2", "127"),
            numbers("small", "SMALLINT", "SMALLINT ", "-32768", "-1", "0", "1", "2", "3"),
            numbers("i", "INT", "INTEGER ", "-2147483648", "-1", "0", "1", "2", "3", "2147483647"),
            numbers("big", "BIGINT", "BIGINT ", "-999999999999", "-1", "0", "1", "2", "3", "999999999999"),
            numbers("iu", "INT UNSIGNED", "BIGINT ", "0", "1", "2", "4294967295"),
            numbers("bu", "BIGINT UNSIGNED", "DECIMAL ", "0", "1", "2", "18446744073709551615"),
            numbers("d", "DECIMAL(12, 2)", "DECIMAL ", "-1.50", "0.00", "0.01", "1.00", "2.50", "9999999999.99"));

    static final List<Column> OTHERS = ImmutableList.of(
            quoted("day", "DATE", "DATE ", "0001-01-01", "1999-12-31", "2024-02-29", "9999-12-31"),
            quoted("moment", "DATETIME(3)", "TIMESTAMP ", "2024-02-29 00:00:00.000", "2024-02-29 00:00:00.001", "1969-12-31 23:59:59.999"),
            quoted("clock", "TIME(2)", "TIME ", "00:00:00.00", "00:00:00.01", "23:59:59.99"),
            new Column("bytes", "VARBINARY(10)", List.of("X''", "X'00'", "X'61'", "X'6100'", "X'FF'"), List.of("X''", "X'00'", "X'61'", "X'6100'", "X'FF'"), false));

    static final List<Column> COLUMNS = Stream.of(TEXT_COLUMNS, CHAR_COLUMNS, ENUMERATIONS, NUMBERS, OTHERS).flatMap(List::stream).collect(toImmutableList());

    private NastyTable()
    {}

    static String create(String name)
    {
        return "CREATE TABLE %s (n INT PRIMARY KEY, %s)".formatted(name, COLUMNS.stream().map(column -> "%s %s".formatted(column.name(), column.definition())).collect(joining(", ")));
    }

    /** To be run where MySQL is not strict: it puts a question mark for what a character set has not. */
    static String insert(String name, int rows, Random random)
    {
        return "INSERT INTO %s VALUES ".formatted(name) + IntStream.range(0, rows)
                .mapToObj(n -> COLUMNS.stream().map(column -> column.value(random)).collect(joining(", ", "(%d, ".formatted(n), ")")))
                .collect(joining(", "));
    }

    /** Trino's literal of any text. */
    static String text(String text)
    {
        return text.codePoints().mapToObj("\\+%06x"::formatted).collect(joining("", "U&'", "'"));
    }

    private static List<String> texts(List<String> texts)
    {
        return texts.stream().map(NastyTable::text).collect(toImmutableList());
    }

    private static Column text(String name, String definition, String... furtherValues)
    {
        List<String> values = Stream.concat(TEXTS.stream().map(RandomText::literal), Stream.of(furtherValues)).collect(toImmutableList());
        return new Column(name, definition, texts(TEXTS), values, true);
    }

    private static Column character(String name, String definition)
    {
        return new Column(name, definition, TEXTS.stream().map(text -> "CAST(%s AS CHAR(10))".formatted(text(text))).collect(toImmutableList()), TEXTS.stream().map(RandomText::literal).collect(toImmutableList()), false);
    }

    private static Column numbers(String name, String definition, String type, String... values)
    {
        return new Column(name, definition, Stream.of(values).map(value -> "%s'%s'".formatted(type, value)).collect(toImmutableList()), List.of(values), false);
    }

    private static Column quoted(String name, String definition, String type, String... values)
    {
        List<String> literals = Stream.of(values).map("'%s'"::formatted).collect(toImmutableList());
        return new Column(name, definition, literals.stream().map(type::concat).collect(toImmutableList()), literals, false);
    }
}
