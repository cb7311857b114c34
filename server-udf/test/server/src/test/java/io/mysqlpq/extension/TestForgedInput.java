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
    private static final List<String> INDEXES = List.of("PRIMARY", "by_n", "by_s", "by_prefix", "by_many");

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
                    CREATE TABLE s.t (a BIGINT UNSIGNED, b VARCHAR(100), n TINYINT, s VARCHAR(700) COLLATE utf8mb4_bin, PRIMARY KEY (a, b DESC),
                      KEY by_n (n), KEY by_s (s), KEY by_prefix (b(2), n DESC), KEY by_many (n, s(10) DESC, b, a))""",
                    "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000) SELECT i * 7, LEFT(SHA2(i, 256), 32), NULLIF(i % 50, 3), REPEAT(LEFT(SHA2(i, 256), 32), i % 20) FROM s");
        }
    }

    @Test
    void testForgedBounds()
    {
        int answers = 0;
        try (Session session = new Session(server)) {
            for (int i = 0; i < 5_000; i++) {
                String options = "{\"lower\": %s, \"upper\": %s, \"leaf\": %s}".formatted(key(), key(), random.nextBoolean());
                String index = INDEXES.get(random.nextInt(INDEXES.size()));
                answers += isAnswered(session, "SELECT mysql_pq_ranges('s', 't', '%s', %s, '%s')".formatted(index, 1 + random.nextInt(100), options)) ? 1 : 0;
            }
        }
        // Were everything refused, nothing would have been tested.
        assertThat(answers).isGreaterThan(30);
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

    private String key()
    {
        return IntStream.range(0, 1 + random.nextInt(3)).mapToObj(_ -> value()).collect(joining(", ", "[", "]"));
    }

    private String value()
    {
        return switch (random.nextInt(8)) {
            case 0 -> "null";
            case 1 -> quoted(Long.toUnsignedString(random.nextLong()));
            case 2 -> quoted(String.valueOf(random.nextInt(300) - 150));
            case 3 -> quoted(hex(RandomText.draw(random, 120)));
            case 4 -> quoted(hex("f".repeat(random.nextInt(2_000))));
            case 5 -> quoted(HexFormat.of().formatHex(randomBytes()));
            default -> quoted(String.valueOf(random.nextInt(140_000)));
        };
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
