package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomText;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that key values made up by a client give an answer or an error: forged bytes crashed a prototype (hazard 7).
 */
@TestInstance(PER_CLASS)
class TestForgedInput
{
    private static final List<String> INDEXES = List.of("PRIMARY", "by_n", "by_s", "by_prefix", "by_many", "by_d", "by_f", "by_g", "by_at", "by_ts", "by_t", "by_day", "by_bytes", "by_e");

    private static final List<String> COLUMNS = List.of("a", "b", "n", "s", "d", "f", "g", "at", "ts", "t", "day", "bytes", "e", "bits", "y");

    /** Some have a layout that is not theirs. */
    private static final List<String> SCANNED = List.of(
            "[\"a\", \"int128\"]", "[\"a\", \"int64\"]", "[\"b\", \"bytes\"]", "[\"n\", \"int8\"]", "[\"s\", \"bytes\"]", "[\"d\", \"int128\"]", "[\"f\", \"int32\"]", "[\"at\", \"int64\"]",
            "[\"t\", \"int64\"]", "[\"day\", \"int32\"]", "[\"bytes\", \"bytes\"]", "[\"e\", \"bytes\"]", "[\"bits\", \"int16\"]", "[\"y\", \"int32\"]");

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    private final Random random = Seed.random();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTable()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = 20000",
                    "CREATE SCHEMA s",
                    """
                    CREATE TABLE s.t (a BIGINT UNSIGNED, b VARCHAR(100), n TINYINT, s VARCHAR(700) COLLATE utf8mb4_bin,
                      d DECIMAL(20,5), f FLOAT, g DOUBLE UNSIGNED, at DATETIME(3), ts TIMESTAMP(1), t TIME(2), day DATE, bytes BINARY(6), e ENUM('x', 'y'), bits BIT(10), y YEAR, PRIMARY KEY (a, b DESC),
                      KEY by_n (n), KEY by_s (s), KEY by_prefix (b(2), n DESC), KEY by_many (n, s(10) DESC, b, a),
                      KEY by_d (d), KEY by_f (f DESC), KEY by_g (g, f), KEY by_at (at), KEY by_ts (ts DESC, y), KEY by_t (t), KEY by_day (day, d), KEY by_bytes (bytes(3)), KEY by_e (e, bits))""",
                    "INSERT INTO s.t (a, b, n, s, d, f, g, at, ts, t, day, bytes, e, bits, y) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000) SELECT i * 7, LEFT(SHA2(i, 256), 32), NULLIF(i % 50, 3), REPEAT(LEFT(SHA2(i, 256), 32), i % 20), i / 7, i / 7, i / 3, FROM_UNIXTIME(i * 7000.5), FROM_UNIXTIME(i * 70000.5), SEC_TO_TIME(i), FROM_DAYS(700000 + i), UNHEX(LEFT(SHA2(i, 256), 12)), 1 + i % 2, i % 1024, 1901 + i % 200 FROM s");
        }
    }

    @Test
    void testForgedBounds()
    {
        int answers = 0;
        try (Session session = new Session(server)) {
            for (int i = 0; i < 5_000; i++) {
                String index = INDEXES.get(random.nextInt(INDEXES.size()));
                String options = "{\"lower\": %s, \"upper\": %s, \"leaf\": %s}".formatted(key(index), key(index), random.nextBoolean());
                answers += isAnswered(session, "SELECT mysql_pq_ranges('s', 't', '%s', %s, '%s')".formatted(index, 1 + random.nextInt(100), options)) ? 1 : 0;
            }
        }
        // Were everything refused, nothing would have been tested.
        assertThat(answers).isGreaterThan(300);
    }

    @Test
    void testForgedScans()
    {
        int answers = 0;
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            for (int i = 0; i < 3_000; i++) {
                String call = NativeScan.sql("s.t", reader.token(), scanOptions(), 2);
                try {
                    reader.session().values(call);
                    answers++;
                }
                catch (AssertionError e) {
                    assertThat(e).as(call).hasMessageFindingMatch("mysql_pq: (bad_argument|unsupported_scan): ");
                }
            }
        }
        assertThat(answers).isGreaterThan(300);
    }

    private String scanOptions()
    {
        List<String> options = new ArrayList<>();
        options.add("\"columns\": [%s]".formatted(random.ints(random.nextInt(4), 0, SCANNED.size()).distinct().mapToObj(SCANNED::get).collect(joining(", "))));
        options.add("\"rows\": " + (1 + random.nextInt(200)));
        if (random.nextBoolean()) {
            // A cursor names all columns of the key.
            options.add(random.nextBoolean() ? "\"lower\": " + key("PRIMARY") : "\"after\": [%s, %s]".formatted(value(), value()));
        }
        if (random.nextBoolean()) {
            options.add("\"upper\": " + key("PRIMARY"));
        }
        if (random.nextInt(3) > 0) {
            options.add("\"filters\": [%s]".formatted(IntStream.range(0, 1 + random.nextInt(3)).mapToObj(_ -> condition(0)).collect(joining(", "))));
        }
        return "{%s}".formatted(String.join(", ", options));
    }

    private String condition(int depth)
    {
        String column = columnName();
        return switch (random.nextInt(depth < 4 ? 8 : 7)) {
            case 0 -> "{\"left\": \"%s\", \"comparison\": \"%s\", \"right\": \"%s\"}".formatted(column, List.of("=", "<>", "<", "<=", ">", ">=", "~").get(random.nextInt(7)), columnName());
            case 7 -> "{\"any\": [[%s], [%s]]}".formatted(condition(depth + 1), condition(depth + 1));
            default -> "{\"column\": \"%s\", \"intervals\": [%s], \"nulls\": %s}".formatted(
                    column,
                    IntStream.range(0, random.nextInt(3)).mapToObj(_ -> "[%s, %s, %s, %s]".formatted(valueOf(column), random.nextBoolean(), valueOf(column), random.nextBoolean())).collect(joining(", ")),
                    random.nextBoolean());
        };
    }

    private String valueOf(String column)
    {
        return random.nextInt(4) == 0 ? value() : fitting("by_" + column);
    }

    private String columnName()
    {
        return COLUMNS.get(random.nextInt(COLUMNS.size()));
    }

    private boolean isAnswered(Session session, String call)
    {
        try {
            RangePlan.parse(session.value(call));
            return true;
        }
        catch (AssertionError e) {
            assertThat(e).as(call).hasMessageContaining("mysql_pq: bad_argument: ");
            return false;
        }
    }

    private String key(String index)
    {
        return random.nextBoolean() ? "[" + fitting(index) + "]" : IntStream.range(0, 1 + random.nextInt(3)).mapToObj(_ -> value()).collect(joining(", ", "[", "]"));
    }

    // What the index's first column holds, if not too large or no day.
    private String fitting(String index)
    {
        return switch (index) {
            case "by_d" -> quoted("%d.%05d".formatted(random.nextInt(4_000), random.nextInt(100_000)));
            case "by_f", "by_g" -> quoted(String.valueOf(random.nextInt(50_000) / 8.0));
            case "by_at" -> quoted("19%02d-01-%02d 00:00:00.123".formatted(70 + random.nextInt(10), random.nextInt(35)));
            case "by_ts" -> quoted("20%02d-01-%02d 00:00:00.1".formatted(random.nextInt(40), random.nextInt(35)));
            case "by_t" -> quoted("%02d:%02d:01.50".formatted(random.nextInt(7), random.nextInt(62)));
            case "by_day" -> quoted("19%02d-%02d-01".formatted(random.nextInt(100), random.nextInt(14)));
            case "by_bytes" -> quoted(HexFormat.of().formatHex(Arrays.copyOf(randomBytes(), 2 + random.nextInt(2))));
            case "by_e" -> quoted(String.valueOf(random.nextInt(4)));
            default -> value();
        };
    }

    private String value()
    {
        return switch (random.nextInt(12)) {
            case 0 -> "null";
            case 1 -> quoted(Long.toUnsignedString(random.nextLong()));
            case 2 -> quoted(String.valueOf(random.nextInt(300) - 150));
            case 3 -> quoted(hex(RandomText.draw(random, 120)));
            case 4 -> quoted(hex("f".repeat(random.nextInt(2_000))));
            case 5 -> quoted(HexFormat.of().formatHex(randomBytes()));
            case 6 -> quoted("%s%d.%s".formatted(random.nextBoolean() ? "-" : "", random.nextInt(1_000), "0123456789".substring(0, random.nextInt(8))));
            case 7 -> quoted("%de%+d".formatted(random.nextInt(100), random.nextInt(400) - 200));
            case 8 -> quoted(moment().substring(0, 10));
            case 9 -> quoted(moment());
            case 10 -> quoted((random.nextBoolean() ? "-" : "") + moment().substring(11));
            default -> quoted(String.valueOf(random.nextInt(140_000)));
        };
    }

    // With up to three digits of a fraction; some of them no dates, and some with a character too many.
    private String moment()
    {
        String fraction = ".123456".substring(0, random.nextInt(5));
        return "%04d-%02d-%02d %02d:%02d:%02d%s".formatted(
                random.nextInt(2) * random.nextInt(10_000), random.nextInt(14), random.nextInt(33), random.nextInt(25), random.nextInt(61), random.nextInt(60), fraction);
    }

    private byte[] randomBytes()
    {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String hex(String text)
    {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String quoted(String value)
    {
        return "\"" + value + "\"";
    }
}
