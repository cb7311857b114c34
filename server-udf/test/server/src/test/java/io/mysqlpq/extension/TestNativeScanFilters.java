package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

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

    /**
     * @param type of the column
     * @param values as options and SQL both have them
     * @param literal SQL's form of a value
     */
    private record Filtered(String column, String type, List<String> values, String literal)
    {}

    private final List<Filtered> columns = List.of(
            new Filtered("i", "INT", numbers("-2147483648", "-1", "0", "1", "7", "2147483647"), "%s"),
            new Filtered("u", "BIGINT UNSIGNED", numbers("0", "1", "9223372036854775807", "9223372036854775808", "18446744073709551615"), "%s"),
            new Filtered("d", "DECIMAL(12, 2)", numbers("-9999999999.99", "-0.01", "0.00", "0.05", "0.06", "0.07", "24.00", "9999999999.99"), "%s"),
            new Filtered("e", "DECIMAL(30, 10)", numbers("-12345678901234567890.0000000001", "0.0000000000", "1.5000000000"), "%s"),
            new Filtered("f", "DOUBLE", numbers("-1.5", "-1e-300", "0", "2.5", "1e300"), "%s"),
            new Filtered("da", "DATE", numbers("1000-01-01", "1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31"), "'%s'"),
            new Filtered("dt", "DATETIME(3)", numbers("1000-01-01 00:00:00.000", "2024-02-29 12:00:00.001", "2024-02-29 12:00:00.002"), "'%s'"),
            new Filtered("ts", "TIMESTAMP NULL", numbers("1970-01-01 00:00:01", "2024-02-29 12:00:00", "2038-01-19 03:14:07"), "'%s'"),
            new Filtered("b", "VARBINARY(10)", hex("", "a", "ab", "b", "\u00ff"), "x'%s'"),
            new Filtered("y", "BINARY(3)", hex("aaa", "ab\0", "zzz"), "x'%s'"),
            new Filtered("x", "VARCHAR(10) COLLATE utf8mb4_0900_bin", hex("", "a", "a ", "A", "b"), "CONVERT(x'%s' USING utf8mb4)"));

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
        server.execute("CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY, %s)".formatted(columns.stream().map(column -> column.column() + " " + column.type()).collect(joining(", "))));
        try (Session writer = new Session(server)) {
            writer.execute("SET time_zone = '+00:00'");
            for (int row = 0; row < 2000; row++) {
                writer.execute("INSERT INTO s.t VALUES (%d, %s)".formatted(row, columns.stream().map(column -> random.nextInt(6) == 0 ? "NULL" : sql(column, any(column))).collect(joining(", "))));
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
                for (Filtered column : columns) {
                    if (random.nextInt(columns.size()) < 2) {
                        addCondition(column, filters, conditions);
                    }
                }
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
                    low == null ? column.column() + " IS NOT NULL" : column.column() + (lowInclusive ? " >= " : " > ") + sql(column, low),
                    high == null ? column.column() + " IS NOT NULL" : column.column() + (highInclusive ? " <= " : " < ") + sql(column, high)));
        }
        either.add(nulls ? column.column() + " IS NULL" : "FALSE");
        filters.add("{\"column\": \"%s\", \"intervals\": [%s], \"nulls\": %s}".formatted(column.column(), String.join(", ", intervals), nulls));
        conditions.add("(" + String.join(" OR ", either) + ")");
    }

    private static String quoted(String value)
    {
        return value == null ? "null" : "\"" + value + "\"";
    }

    // What sorts otherwise than its bytes do is left to others.
    @Test
    void testOtherColumnsAreRefused()
    {
        server.execute("CREATE TABLE s.other (k INT PRIMARY KEY, v VARCHAR(9), p VARCHAR(9) COLLATE utf8mb4_bin, c CHAR(9) COLLATE utf8mb4_0900_bin, f FLOAT, e ENUM ('a', 'b'), y YEAR, bl BLOB, tx TEXT COLLATE utf8mb4_0900_bin)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.other")) {
            for (String column : List.of("v", "p", "c", "f", "e", "y", "bl", "tx")) {
                String options = "{\"columns\": [], \"filters\": [{\"column\": \"%s\", \"intervals\": [], \"nulls\": true}]}".formatted(column);
                reader.session().assertRefused(NativeScan.sql("s.other", reader.token(), options, 1), "unsupported_scan", "column '" + column + "'");
            }
            for (String value : List.of("x", "1.5", "2147483648", "")) {
                String options = "{\"columns\": [], \"filters\": [{\"column\": \"k\", \"intervals\": [[\"%s\", true, null, true]], \"nulls\": true}]}".formatted(value);
                reader.session().assertRefused(NativeScan.sql("s.other", reader.token(), options, 1), "bad_argument", "'" + value + "'", "'k'");
            }
        }
    }
}
