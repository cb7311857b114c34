package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

import static java.util.Collections.nCopies;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a native scan gives what MySQL's own SQL gives: each type, row format, range and row version.
 */
@TestInstance(PER_CLASS)
class TestNativeScan
{
    private static final String SEQUENCE = "WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) ";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "100000").start();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @BeforeEach
    void createSchema()
    {
        System.out.println("seed " + seed);
        server.execute("DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"DYNAMIC", "COMPACT", "REDUNDANT", "COMPRESSED"})
    void testEveryType(String format)
    {
        String columns = """
                t1 TINYINT, t2 TINYINT UNSIGNED NOT NULL, s1 SMALLINT, s2 SMALLINT UNSIGNED, m1 MEDIUMINT, m2 MEDIUMINT UNSIGNED,
                i1 INT NOT NULL, i2 INT UNSIGNED, b1 BIGINT, b2 BIGINT UNSIGNED, bt1 BIT(1), bt17 BIT(17), bt64 BIT(64) NOT NULL,
                d1 DECIMAL(1, 0), d2 DECIMAL(9, 9), d3 DECIMAL(18, 4), d4 DECIMAL(19, 1) UNSIGNED, d5 DECIMAL(38, 20), f1 FLOAT, f2 DOUBLE,
                da DATE, dt0 DATETIME, dt1 DATETIME(1), dt6 DATETIME(6), ts0 TIMESTAMP NULL, ts3 TIMESTAMP(3) NULL, ts6 TIMESTAMP(6) NULL,
                y YEAR, h0 TIME, h1 TIME(1), h3 TIME(3), h6 TIME(6), e1 ENUM ('a', 'A\u00e4', '', 'x,y'), e2 ENUM ('\u00e9', '1') CHARACTER SET latin1, se1 SET ('', 'b', 'A\u00e4'), se2 SET ('\u00e9', '1') CHARACTER SET latin1 NOT NULL, se3 SET (%s), se4 SET (%s) CHARACTER SET utf16, se5 SET (%s),
                c1 CHAR(10), c2 CHAR(3) CHARACTER SET latin1 NOT NULL, c3 CHAR(5) CHARACTER SET utf16, c4 CHAR(4) CHARACTER SET sjis,
                v1 VARCHAR(50), v2 VARCHAR(300) CHARACTER SET latin1, v3 VARCHAR(50) CHARACTER SET utf32, v4 VARCHAR(9) CHARACTER SET ascii,
                v5 VARCHAR(40) CHARACTER SET gbk, v6 VARCHAR(40) COLLATE utf8mb4_0900_bin,
                x1 TINYTEXT, x2 TEXT, x3 MEDIUMTEXT CHARACTER SET koi8r, y1 BINARY(4), y2 VARBINARY(20), y3 BLOB, y4 LONGBLOB
                """.formatted(members(64), members(20), members(30));
        server.execute("CREATE TABLE s.t (k INT PRIMARY KEY, %s) ROW_FORMAT = %s".formatted(columns, format));
        try (Session writer = new Session(server)) {
            // The driver asks for strictness: here MySQL makes of each value what fits.
            writer.execute("SET time_zone = '+00:00', sql_mode = ''");
            List<ScanColumn> all = ScanColumn.of(writer, "s.t");
            for (int row = 0; row < 700; row++) {
                writer.execute("INSERT INTO s.t VALUES (%d, %s)".formatted(row * 3 - 1000, all.stream().skip(1).map(this::literal).collect(joining(", "))));
            }
        }
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            for (String batches : List.of("", "\"rows\": 1, ", "\"rows\": 33, \"bytes\": 65536, ")) {
                NativeScan scan = reader.scan("s.t", batches);
                assertSame(scan.columns(), scan.read().rows(), NativeScan.bySql(reader.donor(), "s.t", scan.columns(), "ORDER BY k"));
            }
        }
    }

    private static String members(int count)
    {
        return IntStream.range(0, count).mapToObj("'m%s'"::formatted).collect(joining(", "));
    }

    // Names the first cell that differs.
    private static void assertSame(List<ScanColumn> columns, List<List<String>> actual, List<List<String>> expected)
    {
        assertThat(actual).hasSameSizeAs(expected);
        for (int row = 0; row < expected.size(); row++) {
            for (int column = 0; column < columns.size(); column++) {
                assertThat(actual.get(row).get(column)).as("%s in row %s", columns.get(column), row).isEqualTo(expected.get(row).get(column));
            }
        }
    }

    // Values that types end at, and some between; NULL where that is allowed, else what MySQL makes of it.
    private String literal(ScanColumn column)
    {
        if (random.nextInt(8) == 0) {
            return column.name().matches("t2|i1|bt64|se2|c2") ? "0" : "NULL";
        }
        List<String> some = switch (column.type()) {
            case "tinyint", "smallint", "mediumint", "int", "bigint" -> List.of("0", "1", "-1", "127", "128", "255", "-128", "32767", "-32768", "65535", "8388607", "-8388608", "16777215",
                    "2147483647", "-2147483648", "4294967295", "9223372036854775807", "-9223372036854775808", "18446744073709551615", Long.toString(random.nextLong()));
            case "bit" -> List.of("0", "1", "65537", "18446744073709551615");
            case "decimal" -> List.of("0", "-0.5", "1", "-1", "999999999999999999999999999999999999999", "-999999999999999999999999999999999999999", "0.000000001", "123456789.123456789",
                    "%d.%d".formatted(random.nextInt(), random.nextInt(1_000_000_000)));
            case "float" -> List.of("0", "-0.0", "1.5", "3.4028234e38", "-1e-38", Float.toString(random.nextFloat()));
            case "double" -> List.of("0", "-0.0", "1.7976931348623157e308", "5e-324", Double.toString(random.nextGaussian()));
            case "date" -> List.of("'1000-01-01'", "'9999-12-31'", "'1970-01-01'", "'2024-02-29'", "'0000-00-00'", "'2024-00-00'", "'2024-02-00'", "'0001-03-01'");
            case "datetime" -> List.of("'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'", "'1969-12-31 23:59:59.999999'", "'2024-02-29 12:34:56.123456'", "'0000-00-00'", "'2024-00-00 00:00:00'");
            case "timestamp" -> List.of("'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'", "'2024-02-29 12:34:56.654321'", "'0000-00-00'");
            case "year" -> List.of("1901", "2155", "0", "'2000'", "1999");
            case "time" -> List.of("'00:00:00'", "'838:59:59'", "'-838:59:59'", "'-00:00:00.000001'", "'-01:02:03.9'", "'23:59:59.999999'", "'12:34:56.789012'");
            case "enum" -> List.of("''", "1", "2", "0", "'x,y'", "'nothing'");
            case "set" -> List.of("''", "0", "1", "3", "6", "'b,,b'", "'nothing,1'", "18446744073709551615", Long.toUnsignedString(random.nextLong()));
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> List.of("''", "x'00'", "x'FF00'", "x'0000'", "' a '", "REPEAT('x', 100)");
            default -> List.of("''", "'a'", "'a  '", "'  b'", "'Äö'", "'漢字'", "'ｱ'", "'😀'", "'Привет'", "REPEAT('é', 9)", "REPEAT('z', 200)");
        };
        return some.get(random.nextInt(some.size()));
    }

    /** Names of columns that collations take for one, which the server does not. */
    @ParameterizedTest
    @ValueSource(strings = {
            "k INT PRIMARY KEY, e INT, `é` BIGINT, s CHAR(3), `ß` INT, O INT, `ö` VARCHAR(9)",
            "`é` BIGINT, k INT PRIMARY KEY, e INT, `ß` INT, s CHAR(3), `ö` VARCHAR(9), O INT",
            "e CHAR(2), `é` BIGINT PRIMARY KEY, k INT, s CHAR(3), `ß` INT, O INT, `ö` VARCHAR(9)"})
    void testNamesThatDifferInAccents(String columns)
    {
        server.execute(
                "DROP TABLE IF EXISTS s.accents",
                "CREATE TABLE s.accents (%s)".formatted(columns),
                "INSERT INTO s.accents (k, e, `é`, s, `ß`, O, `ö`) VALUES (1, 2, 3, 'abc', 4, 5, 'xyz'), (6, 7, 8, 'def', 9, 10, 'uvw')");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.accents")) {
            NativeScan scan = reader.scan("s.accents", "");
            assertSame(scan.columns(), scan.read().rows(), NativeScan.bySql(reader.donor(), "s.accents", scan.columns(), "ORDER BY k"));
        }
    }

    @Test
    void testUnionOfRanges()
    {
        server.execute(
                "CREATE TABLE s.t (a VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, b INT, filler CHAR(100), PRIMARY KEY (a, b DESC))",
                "INSERT INTO s.t " + SEQUENCE.formatted(20_000) + "SELECT CONCAT(CHAR(97 + i % 26), i % 700), i, i FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            List<List<String>> expected = NativeScan.bySql(reader.donor(), "s.t", ScanColumn.of(reader.donor(), "s.t"), "ORDER BY a, b DESC");
            for (int ranges : new int[] {1, 2, 7, 40}) {
                RangePlan plan = RangePlan.ask(reader.session(), "s.t", "PRIMARY", ranges);
                List<List<String>> rows = new ArrayList<>();
                for (int i = 0; i < plan.count(); i++) {
                    // Batches of few rows are so many that a statement does not take all of them.
                    int most = random.nextBoolean() ? 10 : 5000;
                    rows.addAll(reader.scan("s.t", bounds(plan, i) + "\"rows\": %d, ".formatted(1 + random.nextInt(most))).read().rows());
                }
                assertThat(rows).isEqualTo(expected);
            }
        }
    }

    private static String bounds(RangePlan plan, int range)
    {
        return (range == 0 ? "" : "\"lower\": %s, ".formatted(json(plan.boundaries().get(range - 1))))
                + (range == plan.count() - 1 ? "" : "\"upper\": %s, ".formatted(json(plan.boundaries().get(range))));
    }

    private static String json(List<String> key)
    {
        return key.stream().map(value -> value == null ? "null" : "\"" + value + "\"").collect(joining(", ", "[", "]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROW_FORMAT = DYNAMIC", "ROW_FORMAT = REDUNDANT", "ROW_FORMAT = COMPRESSED KEY_BLOCK_SIZE = 4"})
    void testOldVersions(String format)
    {
        server.execute(
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT, w VARCHAR(100), KEY (v)) " + format,
                "INSERT INTO s.t " + SEQUENCE.formatted(10_000) + "SELECT i * 2, i, REPEAT('w', i % 90) FROM s");
        try (Session writer = new Session(server)) {
            writer.execute("BEGIN", "DELETE FROM s.t WHERE k % 7 = 0", "UPDATE s.t SET v = -v WHERE k % 11 = 0");
            try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
                writer.execute(
                        "COMMIT", "UPDATE s.t SET w = REPEAT('x', 100) WHERE k % 3 = 0", "DELETE FROM s.t WHERE k % 5 = 0", "INSERT INTO s.t SELECT k + 1, 0, 'new' FROM s.t",
                        "UPDATE s.t SET k = k + 100000 WHERE k % 13 = 0", "BEGIN", "DELETE FROM s.t WHERE k % 2 = 0");
                List<ScanColumn> columns = ScanColumn.of(reader.donor(), "s.t");
                List<List<String>> expected = NativeScan.bySql(reader.donor(), "s.t", columns, "ORDER BY k");
                assertThat(expected).hasSize(10_000);
                assertThat(reader.scan("s.t", "").read().rows()).isEqualTo(expected);
                writer.execute("ROLLBACK");
                assertThat(reader.scan("s.t", "\"rows\": 100, ").read().rows()).isEqualTo(expected);
            }
        }
    }

    @Test
    void testInstantColumns()
    {
        server.execute(
                "CREATE TABLE s.t (k INT PRIMARY KEY, n INT, filler CHAR(20) DEFAULT 'x')",
                "INSERT INTO s.t " + SEQUENCE.formatted(3000) + "SELECT i, i, i FROM s",
                "ALTER TABLE s.t ADD COLUMN a INT DEFAULT 7 FIRST, ALGORITHM = INSTANT",
                "INSERT INTO s.t (k, n, a) SELECT k + 10000, n, k FROM s.t WHERE k % 3 = 0",
                "ALTER TABLE s.t ADD COLUMN b VARCHAR(10) AFTER k, ADD COLUMN d DECIMAL(20, 3) NOT NULL DEFAULT 1.5, ADD COLUMN e ENUM ('a', 'b') NOT NULL DEFAULT 'b', ADD COLUMN s SET ('a', 'b', 'c') DEFAULT 'a,c', ALGORITHM = INSTANT",
                "ALTER TABLE s.t DROP COLUMN filler, ALGORITHM = INSTANT",
                "INSERT INTO s.t (k, n, b) SELECT k + 20000, n, 'new' FROM s.t WHERE k % 3 = 1",
                "UPDATE s.t SET b = 'upd' WHERE k % 10 = 0");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            List<ScanColumn> columns = ScanColumn.of(reader.donor(), "s.t");
            assertThat(reader.scan("s.t", "").read().rows()).isEqualTo(NativeScan.bySql(reader.donor(), "s.t", columns, "ORDER BY k"));
            assertThat(columns).map(ScanColumn::name).containsExactly("a", "k", "b", "n", "d", "e", "s");
        }
    }

    @Test
    void testPartitions()
    {
        server.execute(
                "CREATE TABLE s.t (k INT PRIMARY KEY, n INT) PARTITION BY HASH (k) PARTITIONS 3",
                "INSERT INTO s.t " + SEQUENCE.formatted(9000) + "SELECT i, -i FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            for (String partition : List.of("p0", "p1", "p2")) {
                NativeScan scan = reader.scan("s.t", "\"partition\": \"%s\", ".formatted(partition));
                assertThat(scan.read().rows()).hasSize(3000).isEqualTo(NativeScan.bySql(reader.donor(), "s.t PARTITION (%s)".formatted(partition), scan.columns(), "ORDER BY k"));
            }
            reader.session().assertRefused(NativeScan.sql("s.t", reader.token(), "{\"columns\": []}", 1), "bad_argument", "options.partition");
        }
    }

    // Values that do not fit on their row's page are followed to theirs, also those of old versions, and those that only a filter reads.
    @ParameterizedTest
    @ValueSource(strings = {"DYNAMIC", "COMPACT", "REDUNDANT"})
    void testOffPageValues(String format)
    {
        server.execute(
                "CREATE TABLE s.t (k INT PRIMARY KEY, x MEDIUMTEXT, b LONGBLOB, l TEXT CHARACTER SET latin1, n INT) ROW_FORMAT = " + format,
                "INSERT INTO s.t " + SEQUENCE.formatted(1000) + """
                        SELECT i, REPEAT(CHAR(97 + i % 26), IF(i % 3 = 0, 8000 + i * 37, i % 50)), IF(i % 7 = 0, REPEAT(UNHEX('00FF'), 30000 + i), NULL),
                            REPEAT('\u00e9', IF(i % 5 = 0, 9000 + i, 3)), i FROM s""");
        try (Session writer = new Session(server); SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            writer.execute(
                    "UPDATE s.t SET x = REPEAT('new', 9000) WHERE k % 9 = 0", "UPDATE s.t SET n = -n, b = 'short' WHERE k % 14 = 0", "DELETE FROM s.t WHERE k % 15 = 0", "COMMIT",
                    "BEGIN", "UPDATE s.t SET l = REPEAT('z', 20000)");
            List<ScanColumn> columns = ScanColumn.of(reader.donor(), "s.t");
            List<List<String>> expected = NativeScan.bySql(reader.donor(), "s.t", columns, "ORDER BY k");
            assertThat(expected).hasSize(1000);
            for (String batches : List.of("", "\"rows\": 7, ", "\"bytes\": 600000, ")) {
                NativeScan.Scanned all = reader.scan("s.t", batches).read();
                assertThat(all.stopped()).as(batches).isFalse();
                assertThat(all.rows()).isEqualTo(expected);
            }
            String filters = "\"filters\": [{\"column\": \"x\", \"intervals\": [[\"%s\", true, null, true]], \"nulls\": false}, {\"column\": \"l\", \"intervals\": [[null, true, \"%s\", true]], \"nulls\": true}], "
                    .formatted("6a".repeat(10_000), "c3a9".repeat(9300));
            for (List<ScanColumn> some : List.of(columns, columns.stream().filter(column -> column.name().equals("n")).toList())) {
                List<List<String>> filtered = NativeScan.bySql(reader.donor(), "s.t", some, "WHERE x COLLATE utf8mb4_bin >= REPEAT('j', 10000) AND l COLLATE latin1_bin <= REPEAT(_latin1 x'E9', 9300) ORDER BY k");
                assertThat(filtered).hasSizeBetween(100, 900);
                assertThat(new NativeScan(reader.session(), reader.token(), "s.t", some, filters).read().rows()).isEqualTo(filtered);
            }
        }
    }

    // Such is what filters on the key leave of ranges beside it.
    @Test
    void testVoidRanges()
    {
        server.execute("CREATE TABLE s.t (k INT PRIMARY KEY, n INT)", "INSERT INTO s.t " + SEQUENCE.formatted(1000) + "SELECT i, i FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            for (String range : List.of("\"lower\": [\"500\"], \"upper\": [\"300\"], ", "\"lower\": [\"500\"], \"upper\": [\"500\"], ", "\"lower\": [\"2000\"], \"upper\": [\"-5\"], ", "\"lower\": [\"2000\"], ", "\"upper\": [\"-5\"], ")) {
                NativeScan.Scanned scanned = reader.scan("s.t", range).read();
                assertThat(scanned.rows()).as(range).isEmpty();
                assertThat(scanned.stopped()).isFalse();
            }
        }
    }

    // A row whose values off-page are larger than a batch ends the scan before it, and says where; unless nobody asks for them.
    @ParameterizedTest
    @ValueSource(strings = {"DYNAMIC", "COMPRESSED"})
    void testOffPageValuesThatAreNotRead(String format)
    {
        server.execute(
                "CREATE TABLE s.t (k INT PRIMARY KEY, x MEDIUMTEXT, y MEDIUMTEXT, n INT) ROW_FORMAT = " + format,
                "INSERT INTO s.t " + SEQUENCE.formatted(1000) + "SELECT i, REPEAT(SHA2(i, 224), IF(i % 300 = 0, 600, i % 5)), REPEAT(SHA2(i, 256), IF(i % 300 = 0, 600, 1)), i FROM s");
        String bytes = "\"bytes\": 65536, ";
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            List<ScanColumn> columns = ScanColumn.of(reader.donor(), "s.t");
            List<List<String>> expected = NativeScan.bySql(reader.donor(), "s.t", columns, "ORDER BY k");
            NativeScan.Scanned begin = reader.scan("s.t", bytes).read();
            assertThat(begin.stopped()).isTrue();
            assertThat(begin.cursor()).isEqualTo("[\"299\"]");
            assertThat(begin.rows()).isEqualTo(expected.subList(0, 299));
            NativeScan.Scanned next = reader.scan("s.t", bytes + "\"after\": [\"300\"], ").read();
            assertThat(next.cursor()).isEqualTo("[\"599\"]");
            assertThat(next.rows()).isEqualTo(expected.subList(300, 599));
            NativeScan.Scanned none = reader.scan("s.t", bytes + "\"lower\": [\"600\"], ").read();
            assertThat(none.stopped()).isTrue();
            assertThat(none.cursor()).isNull();
            assertThat(none.rows()).isEmpty();
            NativeScan.Scanned passed = reader.scan("s.t", bytes + "\"filters\": [{\"column\": \"n\", \"intervals\": [[null, true, \"299\", true], [\"301\", true, \"500\", true]], \"nulls\": false}], ").read();
            assertThat(passed.stopped()).isFalse();
            assertThat(passed.rows()).hasSize(499);
            // The scan also stops if a filter needs the value.
            String ofAll = bytes + "\"filters\": [{\"column\": \"y\", \"intervals\": [[\"30\", true, null, true]], \"nulls\": false}], ";
            NativeScan.Scanned filtered = reader.scan("s.t", ofAll).read();
            assertThat(filtered.stopped()).isTrue();
            assertThat(filtered.cursor()).isEqualTo("[\"299\"]");
            assertThat(filtered.rows()).isEqualTo(expected.subList(0, 299));
            NativeScan.Scanned filteredAtOnce = reader.scan("s.t", ofAll + "\"lower\": [\"600\"], ").read();
            assertThat(filteredAtOnce.stopped()).isTrue();
            assertThat(filteredAtOnce.cursor()).isNull();
            assertThat(filteredAtOnce.rows()).isEmpty();
            List<ScanColumn> others = columns.stream().filter(column -> column.name().matches("k|n")).toList();
            assertThat(new NativeScan(reader.session(), reader.token(), "s.t", others, bytes).read().rows()).isEqualTo(NativeScan.bySql(reader.donor(), "s.t", others, "ORDER BY k"));
        }
    }

    // Defaults of columns that were added in place are not in any record, and may be larger than a page.
    @Test
    void testBatchesKeepToTheirSize()
    {
        server.execute(
                "CREATE TABLE s.t (k INT PRIMARY KEY)",
                "INSERT INTO s.t " + SEQUENCE.formatted(2000) + "SELECT i FROM s",
                "ALTER TABLE s.t ADD COLUMN c VARCHAR(60000) CHARACTER SET latin1 NOT NULL DEFAULT '%s', ALGORITHM = INSTANT".formatted("x".repeat(60_000)));
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            String options = reader.scan("s.t", "\"bytes\": 65536, ").options(null);
            List<String> sizes = reader.session().values(NativeScan.sql("s.t", reader.token(), options, 3000).replaceFirst("mysql_pq_scan(\\(.*?'\\))", "LENGTH(mysql_pq_scan$1)"));
            assertThat(sizes.stream().filter(Objects::nonNull).map(Integer::valueOf)).hasSizeGreaterThan(400).allSatisfy(size -> assertThat(size).isLessThan(65_536 + 524_288));
            assertThat(reader.scan("s.t", "").read().rows()).hasSize(2000).allSatisfy(row -> assertThat(row.get(1)).isEqualTo("x".repeat(60_000)));
        }
    }

    // A member's text is sent in place of a byte or two.
    @Test
    void testBatchesOfLongMembersKeepToTheirSize()
    {
        String members = IntStream.range(0, 3).mapToObj(i -> "'%s%s'".formatted(i, "\u00e9".repeat(250))).collect(joining(", "));
        String columns = IntStream.range(0, 60).mapToObj(i -> "e%s %s (%s) NOT NULL".formatted(i, i % 2 == 0 ? "ENUM" : "SET", members)).collect(joining(", "));
        String all = IntStream.range(0, 30).mapToObj(i -> "e%s = 7".formatted(2 * i + 1)).collect(joining(", "));
        server.execute("CREATE TABLE s.t (k INT PRIMARY KEY, %s)".formatted(columns), "SET SESSION sql_mode = ''", "INSERT INTO s.t (k) " + SEQUENCE.formatted(2000) + "SELECT i FROM s", "UPDATE s.t SET " + all);
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            String options = reader.scan("s.t", "\"bytes\": 65536, ").options(null);
            List<String> sizes = reader.session().values(NativeScan.sql("s.t", reader.token(), options, 3000).replaceFirst("mysql_pq_scan(\\(.*?'\\))", "LENGTH(mysql_pq_scan$1)"));
            assertThat(sizes.stream().filter(Objects::nonNull).map(Integer::valueOf)).hasSizeGreaterThan(100).allSatisfy(size -> assertThat(size).isLessThan(65_536 + 524_288));
        }
    }

    // A NULL is not in its record, but takes as many bytes of a batch as other numbers.
    @Test
    void testBatchesOfNullsKeepToTheirSize()
    {
        String columns = IntStream.range(0, 400).mapToObj("n%s BIGINT"::formatted).collect(joining(", "));
        String numbers = String.join(", ", nCopies(400, "i"));
        server.execute(
                "CREATE TABLE s.t (k INT PRIMARY KEY, v VARCHAR(3000) CHARACTER SET latin1, %s)".formatted(columns),
                "INSERT INTO s.t " + SEQUENCE.formatted(650) + "SELECT i, REPEAT('x', 3000), %s FROM s".formatted(numbers),
                "INSERT INTO s.t (k) " + SEQUENCE.formatted(3000) + "SELECT 1000 + i FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            String options = reader.scan("s.t", "\"bytes\": 4194304, ").options(null);
            List<String> sizes = reader.session().values(NativeScan.sql("s.t", reader.token(), options, 50).replaceFirst("mysql_pq_scan(\\(.*?'\\))", "LENGTH(mysql_pq_scan$1)"));
            assertThat(sizes.stream().filter(Objects::nonNull).map(Integer::valueOf)).hasSizeGreaterThan(3).allSatisfy(size -> assertThat(size).isLessThan(4_194_304 + 524_288));
        }
    }

    // The scan finds old versions of rows that were deleted before the snapshot and inserted again after it, and does not give them.
    @Test
    void testMemoryOfOldVersions()
            throws IOException
    {
        server.execute("CREATE TABLE s.t (k INT PRIMARY KEY, w VARCHAR(2000))", "INSERT INTO s.t " + SEQUENCE.formatted(30_000) + "SELECT i, REPEAT('w', 2000) FROM s");
        try (SnapshotReader keeper = SnapshotReader.open(server, "s.t")) {
            server.execute("DELETE FROM s.t");
            try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
                server.execute("INSERT INTO s.t " + SEQUENCE.formatted(30_000) + "SELECT i, '' FROM s");
                long before = residentBytes();
                assertThat(reader.scan("s.t", "").read().rows()).isEmpty();
                assertThat(residentBytes() - before).isLessThan(20L << 20);
                assertThat(keeper.scan("s.t", "").read().rows()).hasSize(30_000).allSatisfy(row -> assertThat(row.get(1)).hasSize(2000));
            }
        }
    }

    private long residentBytes()
            throws IOException
    {
        String line = Files.readAllLines(Path.of("/proc/%d/status".formatted(server.pid()))).stream().filter(one -> one.startsWith("VmRSS:")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }

    @Test
    void testNoColumns()
    {
        server.execute("CREATE TABLE s.t (k INT PRIMARY KEY)", "INSERT INTO s.t " + SEQUENCE.formatted(1234) + "SELECT i FROM s", "CREATE TABLE s.empty (k INT PRIMARY KEY)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t", "s.empty")) {
            assertThat(new NativeScan(reader.session(), reader.token(), "s.t", List.of(), "").read().rows()).hasSize(1234);
            assertThat(new NativeScan(reader.session(), reader.token(), "s.empty", List.of(), "").read().rows()).isEmpty();
            assertThat(reader.scan("s.empty", "").read().rows()).isEmpty();
            assertThat(reader.scan("s.t", "\"lower\": [\"9\"], \"upper\": [\"9\"], ").read().rows()).isEmpty();
            assertThat(reader.scan("s.t", "\"lower\": [\"9\"], \"upper\": [\"4\"], ").read().rows()).isEmpty();
            assertThat(reader.scan("s.t", "\"lower\": [\"5000\"], ").read().rows()).isEmpty();
        }
    }
}
