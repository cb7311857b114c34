package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a native scan keeps the rows that the same condition in MySQL's own SQL keeps.
 */
@TestInstance(PER_CLASS)
class TestNativeScanFilters
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private static final List<String> TEXTS = hex("", "a", "a ", "a\t", "A", "\u00e4", "b");
    private static final String TEXT = "CONVERT(x'%s' USING utf8mb4)";
    private static final String CONVERTED = "CONVERT(%s USING utf8mb4) COLLATE utf8mb4_0900_bin";
    private static final String PADDED = "CONVERT(%s USING utf8mb4) COLLATE utf8mb4_bin";

    /**
     * @param type of the column
     * @param values as options and SQL both have them
     * @param literal SQL's form of a value
     * @param compared SQL's form of the column, to be compared with values
     */
    private record Filtered(String column, String type, List<String> values, String literal, String compared)
    {
        Filtered(String column, String type, List<String> values, String literal)
        {
            this(column, type, values, literal, "%s");
        }

        Filtered named(String other)
        {
            return new Filtered(other, type, values, literal, compared);
        }

        String compared(String name)
        {
            return compared.replace("%s", name);
        }
    }

    private final List<Filtered> columns = List.of(
            new Filtered("i", "INT", numbers("-2147483648", "-1", "0", "1", "7", "2147483647"), "%s"),
            new Filtered("u", "BIGINT UNSIGNED", numbers("0", "1", "9223372036854775807", "9223372036854775808", "18446744073709551615"), "%s"),
            new Filtered("d", "DECIMAL(12, 2)", numbers("-9999999999.99", "-0.01", "0.00", "0.05", "0.06", "0.07", "24.00", "9999999999.99"), "%s"),
            new Filtered("e", "DECIMAL(30, 10)", numbers("-12345678901234567890.0000000001", "0.0000000000", "1.5000000000"), "%s"),
            new Filtered("f", "DOUBLE", numbers("-1.5", "-1e-300", "0", "2.5", "1e300"), "%s"),
            new Filtered("da", "DATE", numbers("1000-01-01", "1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31"), "'%s'"),
            new Filtered("dt", "DATETIME(3)", numbers("1000-01-01 00:00:00.000", "2024-02-29 12:00:00.001", "2024-02-29 12:00:00.002"), "'%s'"),
            new Filtered("ts", "TIMESTAMP NULL", numbers("1970-01-01 00:00:01", "2024-02-29 12:00:00", "2038-01-19 03:14:07"), "'%s'"),
            new Filtered("h", "TIME(2)", numbers("-838:59:59.00", "-00:00:00.01", "00:00:00.00", "12:00:00.50", "838:59:59.00"), "'%s'"),
            new Filtered("yr", "YEAR", numbers("0", "1901", "2000", "2155"), "%s"),
            new Filtered("en", "ENUM ('b', 'a', 'A', 'ä', '') COLLATE utf8mb4_0900_bin", hex("", "a", "A", "ä", "b"), TEXT, CONVERTED),
            new Filtered("el", "ENUM ('b', 'a', 'ä') CHARACTER SET latin1", hex("a", "ä", "b"), TEXT, CONVERTED),
            new Filtered("se", "SET ('b', 'a', 'ö')", hex("", "a", "ö", "b", "b,a", "b,ö", "b,a,ö"), TEXT, PADDED),
            new Filtered("sl", "SET ('b', 'a\t', 'ä') CHARACTER SET latin1", hex("", "a\t", "ä", "b,a\t"), TEXT, PADDED),
            new Filtered("b", "VARBINARY(10)", hex("", "a", "ab", "b", "\u00ff"), "x'%s'"),
            new Filtered("y", "BINARY(3)", hex("aaa", "ab\0", "zzz"), "x'%s'"),
            new Filtered("x", "VARCHAR(10) COLLATE utf8mb4_0900_bin", TEXTS, TEXT),
            // Compared by code points, whatever the column's collation and character set.
            new Filtered("v", "VARCHAR(10) COLLATE utf8mb4_0900_ai_ci", TEXTS, TEXT, "%s COLLATE utf8mb4_0900_bin"),
            new Filtered("tx", "TEXT COLLATE utf8mb4_general_ci", TEXTS, TEXT, "%s COLLATE utf8mb4_0900_bin"),
            new Filtered("la", "VARCHAR(10) CHARACTER SET latin1", TEXTS, TEXT, CONVERTED),
            new Filtered("c", "CHAR(10) COLLATE utf8mb4_0900_ai_ci", TEXTS, TEXT, "%s COLLATE utf8mb4_bin"),
            new Filtered("cl", "CHAR(10) CHARACTER SET latin1", TEXTS, TEXT, PADDED),
            new Filtered("cu", "CHAR(10) CHARACTER SET utf16", TEXTS, TEXT, PADDED),
            new Filtered("bl", "BLOB", hex("", "a", "ab", "b", "\u00ff"), "x'%s'"));

    // Pairs of columns of one type: SQL compares them as it does the first with values.
    private final List<List<String>> pairs = List.of(
            List.of("i", "i2"), List.of("d", "d2"), List.of("e", "e2"), List.of("da", "da2"), List.of("ts", "ts2"), List.of("h", "h2"), List.of("yr", "yr2"),
            List.of("b", "b2"), List.of("v", "v2"), List.of("c", "c2"), List.of("cl", "cl2"), List.of("la", "la2"));

    private static List<String> numbers(String... values)
    {
        return List.of(values);
    }

    private static List<String> hex(String... values)
    {
        return List.of(values).stream().map(value -> HexFormat.of().formatHex(value.getBytes(UTF_8))).toList();
    }

    @BeforeAll
    void createTable()
    {
        System.out.println("seed " + seed);
        List<Filtered> all = Stream.concat(columns.stream(), pairs.stream().map(pair -> column(pair.getFirst()).named(pair.getLast()))).toList();
        server.execute("CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY, %s)".formatted(all.stream().map(column -> column.column() + " " + column.type()).collect(joining(", "))));
        try (Session writer = new Session(server)) {
            writer.execute("SET time_zone = '+00:00'");
            for (int row = 0; row < 2000; row++) {
                writer.execute("INSERT INTO s.t VALUES (%d, %s)".formatted(row, all.stream().map(column -> random.nextInt(6) == 0 ? "NULL" : sql(column, any(column))).collect(joining(", "))));
            }
        }
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private String any(Filtered column)
    {
        return column.values().get(random.nextInt(column.values().size()));
    }

    private static String sql(Filtered column, String value)
    {
        return column.literal().formatted(value);
    }

    @Test
    void testRandomConditions()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            ScanColumn key = ScanColumn.of("k", "int", 0, 0, false);
            int kept = 0;
            for (int round = 0; round < 600; round++) {
                List<String> filters = new ArrayList<>();
                List<String> conditions = new ArrayList<>();
                addConditions(filters, conditions, 2);
                String options = "\"rows\": %d, \"filters\": [%s], ".formatted(1 + random.nextInt(2500), String.join(", ", filters));
                String where = conditions.isEmpty() ? "" : "WHERE " + String.join(" AND ", conditions);
                List<List<String>> rows = new NativeScan(reader.session(), reader.token(), "s.t", List.of(key), options).read().rows();
                assertThat(rows).as("%s, %s", options, where).isEqualTo(NativeScan.bySql(reader.donor(), "s.t", List.of(key), where + " ORDER BY k"));
                kept += rows.size();
            }
            // Neither all nor none.
            assertThat(kept).isBetween(10_000, 1_100_000);
        }
    }

    // All of which a row passes.
    private void addConditions(List<String> filters, List<String> conditions, int choicesWithinEachOther)
    {
        for (Filtered column : columns) {
            if (random.nextInt(columns.size()) < 2) {
                addCondition(column, filters, conditions);
            }
        }
        for (List<String> pair : pairs) {
            if (random.nextInt(4 * pairs.size()) < 2) {
                addComparison(column(pair.getFirst()), pair.getLast(), filters, conditions);
            }
        }
        if (choicesWithinEachOther > 0 && random.nextInt(3) == 0) {
            addChoice(filters, conditions, choicesWithinEachOther - 1);
        }
    }

    private void addChoice(List<String> filters, List<String> conditions, int choicesWithinEachOther)
    {
        List<String> alternatives = new ArrayList<>();
        List<String> either = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            List<String> nested = new ArrayList<>();
            List<String> all = new ArrayList<>();
            addConditions(nested, all, choicesWithinEachOther);
            alternatives.add("[%s]".formatted(String.join(", ", nested)));
            either.add(all.isEmpty() ? "TRUE" : "(%s)".formatted(String.join(" AND ", all)));
        }
        filters.add("{\"any\": [%s]}".formatted(String.join(", ", alternatives)));
        conditions.add("(%s)".formatted(String.join(" OR ", either)));
    }

    private void addComparison(Filtered column, String other, List<String> filters, List<String> conditions)
    {
        String operator = List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6));
        boolean turned = random.nextBoolean();
        String left = turned ? other : column.column();
        String right = turned ? column.column() : other;
        filters.add("{\"left\": \"%s\", \"comparison\": \"%s\", \"right\": \"%s\"}".formatted(left, operator, right));
        conditions.add("%s %s %s".formatted(column.compared(left), operator, column.compared(right)));
    }

    private Filtered column(String name)
    {
        return columns.stream().filter(column -> column.column().equals(name)).findFirst().orElseThrow();
    }

    private void addCondition(Filtered column, List<String> filters, List<String> conditions)
    {
        List<String> intervals = new ArrayList<>();
        List<String> either = new ArrayList<>();
        boolean nulls = random.nextInt(3) == 0;
        for (int i = random.nextInt(4); i > 0; i--) {
            String low = random.nextInt(4) == 0 ? null : any(column);
            String high = random.nextInt(4) == 0 ? null : random.nextBoolean() && low != null ? low : any(column);
            boolean lowInclusive = random.nextBoolean();
            boolean highInclusive = random.nextBoolean();
            intervals.add("[%s, %s, %s, %s]".formatted(quoted(low), lowInclusive, quoted(high), highInclusive));
            either.add("(%s AND %s)".formatted(
                    low == null ? column.column() + " IS NOT NULL" : column.compared(column.column()) + (lowInclusive ? " >= " : " > ") + sql(column, low),
                    high == null ? column.column() + " IS NOT NULL" : column.compared(column.column()) + (highInclusive ? " <= " : " < ") + sql(column, high)));
        }
        either.add(nulls ? column.column() + " IS NULL" : "FALSE");
        filters.add("{\"column\": \"%s\", \"intervals\": [%s], \"nulls\": %s}".formatted(column.column(), String.join(", ", intervals), nulls));
        conditions.add("(" + String.join(" OR ", either) + ")");
    }

    private static String quoted(String value)
    {
        return value == null ? "null" : "\"" + value + "\"";
    }

    @Test
    void testManyMembers()
    {
        String members = IntStream.range(0, 1100).mapToObj("'m%s'"::formatted).collect(joining(", "));
        server.execute("CREATE TABLE s.members (k INT PRIMARY KEY, e ENUM (%s), t SET ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'))".formatted(members), "INSERT INTO s.members VALUES (1, 'm1099', 'k'), (2, 'm7', 'b,j'), (3, NULL, NULL)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.members")) {
            List<String> first = List.of("1", "m1099", "k");
            List<String> second = List.of("2", "m7", "b,j");
            assertThat(reader.scan("s.members", "").read().rows()).containsExactly(first, second, Arrays.asList("3", null, null));
            String filter = "\"filters\": [{\"column\": \"%s\", \"intervals\": [%s], \"nulls\": %s}], ";
            String member = "[\"%1$s\", true, \"%1$s\", true]";
            assertThat(reader.scan("s.members", filter.formatted("e", member.formatted(hex("m7").getFirst()), false)).read().rows()).containsExactly(second);
            assertThat(reader.scan("s.members", filter.formatted("e", member.formatted(hex("m8").getFirst()), false)).read().rows()).isEmpty();
            assertThat(reader.scan("s.members", filter.formatted("t", member.formatted(hex("k  ").getFirst()), false)).read().rows()).containsExactly(first);
            assertThat(reader.scan("s.members", filter.formatted("t", "[null, false, \"%s\", false]".formatted(hex("k").getFirst()), true)).read().rows()).containsExactly(second, Arrays.asList("3", null, null));
        }
    }

    // What cannot be compared as it is stored is left to others.
    @Test
    void testOtherColumnsAreRefused()
    {
        server.execute("CREATE TABLE s.other (k INT PRIMARY KEY, big BIGINT, v VARCHAR(9), bl BLOB, f FLOAT, se SET ('a', 'b'), en ENUM ('a'), j JSON)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.other")) {
            for (String column : List.of("f", "j")) {
                String options = "{\"columns\": [], \"filters\": [{\"column\": \"%s\", \"intervals\": [], \"nulls\": true}]}".formatted(column);
                reader.session().assertRefused(NativeScan.sql("s.other", reader.token(), options, 1), "unsupported_scan", "column '" + column + "'");
            }
            for (List<String> pair : List.of(List.of("k", "big"), List.of("v", "bl"), List.of("f", "f"), List.of("en", "en"), List.of("se", "se"), List.of("k", "v"))) {
                String options = "{\"columns\": [], \"filters\": [{\"left\": \"%s\", \"comparison\": \"<\", \"right\": \"%s\"}]}".formatted(pair.getFirst(), pair.getLast());
                reader.session().assertRefused(NativeScan.sql("s.other", reader.token(), options, 1), "unsupported_scan", "column '" + pair.getFirst() + "'");
            }
            for (String value : List.of("6", "6g", "\u00e4")) {
                String options = "{\"columns\": [], \"filters\": [{\"column\": \"v\", \"intervals\": [[\"%s\", true, null, true]], \"nulls\": true}]}".formatted(value);
                reader.session().assertRefused(NativeScan.sql("s.other", reader.token(), options, 1), "bad_argument", "column 'v'", "hex");
            }
            for (String value : List.of("x", "1.5", "2147483648", "")) {
                String options = "{\"columns\": [], \"filters\": [{\"column\": \"k\", \"intervals\": [[\"%s\", true, null, true]], \"nulls\": true}]}".formatted(value);
                reader.session().assertRefused(NativeScan.sql("s.other", reader.token(), options, 1), "bad_argument", "'" + value + "'", "'k'");
            }
        }
    }
}
