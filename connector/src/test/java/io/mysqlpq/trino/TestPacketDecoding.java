package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Month;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.metrics.ReadMetrics.BLOCKS_BY_DRIVER;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_BY_DRIVER;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads the same rows past the driver and by it. */
@TestInstance(PER_CLASS)
class TestPacketDecoding
{
    private static final int ROWS = 3_000;
    private static final int ROWS_PER_INSERT = 500;
    private static final Map<String, String> BY_DRIVER = ImmutableMap.of("packet_decoding_enabled", "false");
    private static final Map<String, String> BY_SQL = ImmutableMap.of("native_scan_enabled", "false");
    private static final List<String> COLUMNS = List.of(
            "t1 TINYINT", "t2 TINYINT UNSIGNED", "t3 SMALLINT", "t4 SMALLINT UNSIGNED", "t5 MEDIUMINT", "t6 MEDIUMINT UNSIGNED", "t7 INT", "t8 INT UNSIGNED", "t9 BIGINT", "t10 BIGINT UNSIGNED", "t11 INT(11) ZEROFILL",
            "b1 BIT(1)", "b2 BOOLEAN",
            "d1 DECIMAL(18, 0)", "d2 DECIMAL(18, 18)", "d3 DECIMAL(9, 4)", "d4 DECIMAL(38, 0)", "d5 DECIMAL(38, 30)", "d6 DECIMAL(19, 1)", "d7 DECIMAL(60, 20)", "d8 DECIMAL(30, 30)", "d9 DECIMAL(12, 2) ZEROFILL",
            "f1 FLOAT", "f2 DOUBLE", "f3 FLOAT", "f4 DOUBLE",
            "c1 DATE", "c2 DATETIME", "c3 DATETIME(3)", "c4 DATETIME(6)", "c5 TIMESTAMP NULL", "c6 TIMESTAMP(3) NULL", "c7 TIMESTAMP(4) NULL", "c8 TIMESTAMP(6) NULL", "c9 TIME(6)", "c10 YEAR",
            "s1 CHAR(10)", "s2 VARCHAR(300)", "s3 TEXT", "s4 LONGTEXT", "s5 VARCHAR(20) CHARACTER SET latin1", "s6 CHAR(20) CHARACTER SET utf16", "s7 ENUM('a', 'ü', '')", "s8 VARCHAR(20) CHARACTER SET cp932", "s9 SET('a', 'b')",
            "x1 BINARY(5)", "x2 VARBINARY(300)", "x3 LONGBLOB", "j JSON");

    private static final Set<String> RARE_TYPES = Set.of("d7", "c9", "c10", "j");

    private final Random random = Seed.random();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("max_allowed_packet", "256M").start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.t (n INT PRIMARY KEY, %s)".formatted(String.join(", ", COLUMNS)));
        for (int first = 0; first < ROWS; first += ROWS_PER_INSERT) {
            mysql.execute("INSERT INTO test.t VALUES " + IntStream.range(first, first + ROWS_PER_INSERT).mapToObj(this::row).collect(joining(", ")));
        }
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000", "decimal-mapping", "map_to_number", "decimal-rounding-mode", "HALF_UP"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    private String row(int n)
    {
        return COLUMNS.stream().map(column -> random.nextInt(6) == 0 ? "NULL" : value(column.substring(0, column.indexOf(' ')))).collect(joining(", ", "(%d, ".formatted(n), ")"));
    }

    private String value(String column)
    {
        return switch (column) {
            case "t1" -> integer(8, true);
            case "t2" -> integer(8, false);
            case "t3" -> integer(16, true);
            case "t4" -> integer(16, false);
            case "t5" -> integer(24, true);
            case "t6" -> integer(24, false);
            case "t7" -> integer(32, true);
            case "t8", "t11" -> integer(32, false);
            case "t9" -> integer(64, true);
            case "t10" -> integer(64, false);
            case "b1", "b2" -> "" + random.nextInt(2);
            case "d1" -> decimal(18, 0);
            case "d2" -> decimal(18, 18);
            case "d3" -> decimal(9, 4);
            case "d4" -> decimal(38, 0);
            case "d5" -> decimal(38, 30);
            case "d6" -> decimal(19, 1);
            case "d7" -> decimal(60, 20);
            case "d8" -> decimal(30, 30);
            case "d9" -> decimal(12, 2).replace("-", "");
            case "f1" -> scientific(new BigDecimal(Float.intBitsToFloat(random.nextInt(0x7F7F_FFFF))));
            case "f2" -> scientific(new BigDecimal(Double.longBitsToDouble(random.nextLong(0x7FEF_FFFF_FFFF_FFFFL) | (random.nextBoolean() ? Long.MIN_VALUE : 0))));
            // As people write them.
            case "f3", "f4" -> "%d.%d".formatted(random.nextInt(-1000, 1000), random.nextInt(1000));
            case "c1" -> "'%s'".formatted(date(1));
            case "c2", "c3", "c4" -> "'%s %s'".formatted(date(1), time());
            case "c5", "c6", "c7", "c8" -> "'%s %s'".formatted(date(1971).replaceFirst("^\\d{4}", "" + random.nextInt(1971, 2037)).replace("-02-29", "-02-28"), time());
            case "c9" -> "'%s'".formatted(time());
            case "c10" -> "" + random.nextInt(1901, 2156);
            case "s1", "s2", "s3", "s4", "s6" -> "'%s'".formatted(text(List.of("a", " ", "é", "漢", "😀", "\\0", "\\\\", "z")));
            case "s5" -> "'%s'".formatted(text(List.of("a", "é", "ÿ", " ")));
            case "s8" -> "'%s'".formatted(text(List.of("a", "漢", "ｱ", " ")));
            case "s7" -> "" + random.nextInt(1, 4);
            case "s9" -> "" + random.nextInt(4);
            case "x1", "x2", "x3" -> "X'%s'".formatted(IntStream.range(0, random.nextInt(6)).mapToObj(_ -> "%02x".formatted(random.nextInt(256))).collect(joining()));
            case "j" -> "JSON_OBJECT('k', %d, 'ä', NULL)".formatted(random.nextInt());
            default -> throw new IllegalArgumentException(column);
        };
    }

    private String integer(int bits, boolean signed)
    {
        BigInteger value = new BigInteger(random.nextInt(bits + 1), random).min(BigInteger.TWO.pow(signed ? bits - 1 : bits).subtract(BigInteger.ONE));
        return signed && random.nextBoolean() ? value.not().toString() : value.toString();
    }

    private String decimal(int precision, int scale)
    {
        String digits = IntStream.range(0, random.nextInt(1, precision + 1)).mapToObj(_ -> "" + random.nextInt(10)).collect(joining());
        String number = new BigDecimal(new BigInteger(digits), scale).toPlainString();
        return random.nextBoolean() ? number : "-" + number;
    }

    // A DOUBLE of MySQL, not a DECIMAL.
    private static String scientific(BigDecimal number)
    {
        return "%se%d".formatted(number.unscaledValue(), -number.scale());
    }

    private String date(int firstYear)
    {
        int month = random.nextInt(1, 13);
        return random.nextInt(20) == 0 ? "2000-02-29" : "%04d-%02d-%02d".formatted(random.nextInt(firstYear, 10_000), month, random.nextInt(1, Month.of(month).minLength() + 1));
    }

    private String time()
    {
        return "%02d:%02d:%02d.%06d".formatted(random.nextInt(24), random.nextInt(60), random.nextInt(60), random.nextInt(999_999));
    }

    private String text(List<String> alphabet)
    {
        return IntStream.range(0, random.nextInt(10)).mapToObj(_ -> alphabet.get(random.nextInt(alphabet.size()))).collect(joining());
    }

    @Test
    void testEveryTypeAsByTheDriver()
    {
        for (String column : RARE_TYPES) {
            QueryId query = assertSame(trino, "SELECT n, %s FROM t".formatted(column), ROWS);
            assertThat(trino.count(query, BLOCKS_BY_DRIVER)).as(column).isPositive();
        }
        List<String> decoded = COLUMNS.stream().map(definition -> definition.substring(0, definition.indexOf(' '))).filter(column -> !RARE_TYPES.contains(column)).toList();
        for (List<String> columns : Lists.partition(decoded, 5)) {
            QueryId query = assertSame(trino, "SELECT n, %s FROM t".formatted(String.join(", ", columns)), ROWS);
            assertThat(trino.count(query, BLOCKS_BY_DRIVER)).as("%s", columns).isZero();
        }
        assertSame(trino, "SELECT * FROM t", ROWS);
        // Without columns.
        assertSame(trino, "SELECT 1 FROM t WHERE rand() < 2", ROWS);
        assertSame(trino, "SELECT * FROM t WHERE n < 0", 0);
    }

    /** MySQL keeps zeros and days that no month has; some doubles have more digits than are decoded here. */
    @Test
    void testUnusualCells()
    {
        mysql.execute(
                "CREATE TABLE test.unusual (n INT PRIMARY KEY, d DATE, t DATETIME(6), i TIMESTAMP(6) NULL, x DOUBLE, f FLOAT)",
                "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'",
                "INSERT INTO test.unusual VALUES (1, '2024-02-29', '2024-02-29 01:02:03.000004', '2024-02-29 01:02:03.000004', 0.1, 0.1)",
                "INSERT INTO test.unusual VALUES (2, '0000-00-00', '0000-00-00', '0000-00-00', 123456789.12345678, 16777217)",
                "INSERT INTO test.unusual VALUES (3, '2023-02-31', '2024-00-01 01:02:03', NULL, -0e0, -0e0), (4, '0000-03-01', '0000-03-01', NULL, 2.2250738585072014e-308, 1.17549435e-38)");
        Map<String, String> nulls = ImmutableMap.of("invalid_date_handling", "NULL");
        assertThat(read(trino.session(nulls), "SELECT * FROM unusual")).isEqualTo(read(trino.session(with(nulls, BY_DRIVER)), "SELECT * FROM unusual")).hasSize(4);
        for (String column : List.of("d", "t", "i")) {
            String sql = "SELECT %s FROM unusual".formatted(column);
            assertThatThrownBy(() -> trino.execute(sql)).hasMessageContaining("Column " + column).hasMessageContaining("0000-00-00");
            assertThatThrownBy(() -> trino.execute(trino.session(BY_DRIVER), sql)).hasMessageContaining("Column " + column).hasMessageContaining("0000-00-00");
        }
    }

    /** A row of 16 MB or more is several packets, of which the last may be empty. */
    @Test
    void testLongRows()
    {
        // A packet of most bytes has the number 1, and the text behind the four bytes of its length.
        int longest = 0xFF_FFFF - 2 - 4;
        mysql.execute("CREATE TABLE test.documents (n INT PRIMARY KEY, document LONGTEXT)");
        int[] lengths = {longest, longest - 1, longest + 1, 2 * 0xFF_FFFF - 2 - 9, 2 * 0xFF_FFFF - 2 - 9 + 1, 40_000_000, 5};
        for (int i = 0; i < lengths.length; i++) {
            mysql.execute("INSERT INTO test.documents VALUES (%d, REPEAT('%s', %d))".formatted(i + 1, i + 1, lengths[i]));
        }
        for (Session session : List.of(trino.session(Map.of()), trino.session(BY_DRIVER))) {
            assertThat(read(session, "SELECT n, length(document), reverse(document) = document AND document LIKE CAST(n AS VARCHAR) || '%' FROM documents"))
                    .isEqualTo(IntStream.range(0, lengths.length).mapToObj(i -> "[%d, %d, true]".formatted(i + 1, lengths[i])).sorted().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sslMode=REQUIRED", "useCompression=true", "useReadAheadInput=false", "characterEncoding=latin1"})
    void testSessionsOfOtherKinds(String parameter)
            throws Exception
    {
        try (TestingTrino other = new TestingTrino(ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?allowPublicKeyRetrieval=true&" + parameter,
                "connection-user", "root",
                "decimal-mapping", "map_to_number"))) {
            assertSame(other, "SELECT * FROM t", ROWS);
            assertThat(read(other.session(Map.of()), "SELECT * FROM t")).isEqualTo(read(trino.session(Map.of()), "SELECT * FROM t"));
        }
    }

    /** Where MySQL has sent all, nothing more must be waited for. */
    @Test
    @Timeout(180)
    void testCompressedResultsOfAllSizes()
            throws Exception
    {
        mysql.execute("CREATE TABLE test.sizes (n INT PRIMARY KEY, body LONGTEXT)");
        for (int size = 0; size < 70; size++) {
            mysql.execute("INSERT INTO test.sizes VALUES (%d, REPEAT('x', %d))".formatted(size, 1000 * size));
        }
        try (TestingTrino other = new TestingTrino(ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?allowPublicKeyRetrieval=true&useCompression=true",
                "connection-user", "root"))) {
            assertThat(other.execute("SELECT n FROM sizes WHERE n < 0").getMaterializedRows()).isEmpty();
            for (int size = random.nextInt(3); size < 70; size += 3) {
                assertThat(other.execute("SELECT length(body) FROM sizes WHERE n = %d AND rand() < 2".formatted(size)).getOnlyValue()).isEqualTo(1000L * size);
            }
            assertThat(other.execute("SELECT sum(length(body)) FROM sizes WHERE rand() < 2").getOnlyValue()).isEqualTo(1000L * 69 * 70 / 2);
        }
    }

    /** In MySQL's binary form, with spaces that MySQL did not send, or packet by packet. */
    @ParameterizedTest
    @ValueSource(strings = {"useServerPrepStmts=true", "padCharsWithSpace=true", "enablePacketDebug=true"})
    void testSessionsThatOnlyTheDriverCanRead(String parameter)
            throws Exception
    {
        try (TestingTrino other = new TestingTrino(ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?allowPublicKeyRetrieval=true&" + parameter,
                "connection-user", "root",
                "target-rows-per-split", "1000"))) {
            long scanned = mysql.status("mysql_pq_scan_pages_read");
            MaterializedResultWithPlan result = other.executeWithPlan(other.session(Map.of()), "SELECT n, t9, c4, s2 FROM t");
            assertThat(other.count(result.queryId(), READ_BY_DRIVER)).isPositive();
            assertThat(mysql.status("mysql_pq_scan_pages_read")).as("pages that nobody could read the rows of").isEqualTo(scanned);
            assertEqualsIgnoreOrder(result.result(), trino.execute("SELECT n, t9, c4, s2 FROM t"));
        }
    }

    @Test
    void testErrorBetweenRows()
    {
        mysql.execute("CREATE VIEW test.slow AS SELECT n, SLEEP(0.02) AS slept, RPAD('', 10000, 'x') AS padding FROM test.t");
        CompletableFuture<?> reading = Background.run(() -> trino.execute("SELECT n, slept, padding FROM slow"));
        String running = "SELECT id FROM information_schema.processlist WHERE info LIKE '%test%slow%' AND info NOT LIKE '%processlist%' AND state = 'User sleep'";
        Await.until("the read runs", () -> !mysql.values(running).isEmpty());
        mysql.execute("KILL QUERY " + mysql.values(running).getFirst());
        assertThatThrownBy(reading::join).hasMessageContaining("Query execution was interrupted");
    }

    private static QueryId assertSame(TestingTrino trino, String sql, int rows)
    {
        MaterializedResultWithPlan packets = trino.executeWithPlan(trino.session(BY_SQL), sql);
        MaterializedResultWithPlan driver = trino.executeWithPlan(trino.session(BY_DRIVER), sql);
        assertThat(texts(packets.result())).as(sql).isEqualTo(texts(driver.result())).hasSize(rows);
        // In part by column batches.
        assertThat(texts(trino.execute(trino.session(Map.of()), sql))).as(sql).isEqualTo(texts(driver.result()));
        assertThat(trino.count(packets.queryId(), READ_BY_DRIVER)).isZero();
        assertThat(trino.count(driver.queryId(), READ_BY_DRIVER)).isPositive();
        assertThat(trino.count(packets.queryId(), ROWS_READ)).isEqualTo(rows);
        return packets.queryId();
    }

    private List<String> read(Session session, String sql)
    {
        return texts(trino.execute(session, sql));
    }

    private static List<String> texts(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(row -> Arrays.deepToString(row.getFields().toArray())).sorted().toList();
    }

    private static Map<String, String> with(Map<String, String> first, Map<String, String> second)
    {
        return ImmutableMap.<String, String>builder().putAll(first).putAll(second).buildOrThrow();
    }
}
