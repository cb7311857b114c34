package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomText;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestOptions
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTables()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (a INT, b VARCHAR(10), c BIGINT UNSIGNED, PRIMARY KEY (a, b), KEY by_c (c))",
                "INSERT INTO s.t VALUES (1, 'x', 1), (2, 'y', NULL)",
                "CREATE TABLE s.p (k INT PRIMARY KEY) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (10), PARTITION `p 1` VALUES LESS THAN MAXVALUE)");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "", " ", "{", "}", "[]", "1", "\"x\"", "null", "{}{}", "{\"leaf\": true,}", "{leaf: true}", "{\"unknown\": 1}",
            "{\"leaf\": 1}", "{\"leaf\": \"true\"}", "{\"leaf\": null}", "{\"leaf\": true, \"leaf\": false}", "{\"partition\": 5}",
            "{\"partition\": \"\"}", "{\"Leaf\": true}", "{\"leaf\\u0000\": true}"})
    void testShape(String options)
    {
        assertBad("PRIMARY", options);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "5", "{}", "null", "[]", "[1]", "[true]", "[[\"1\"]]", "[\"\"]", "[\" 1\"]", "[\"+1\"]", "[\"1.0\"]", "[\"1e3\"]", "[\"0x1\"]",
            "[\"abc\"]", "[\"2147483648\"]", "[\"-2147483649\"]", "[\"99999999999999999999999999999\"]", "[null]", "[\"--1\"]", "[\"1\\u0000\"]",
            "[\"1\", \"7\"]", "[\"1\", \"zz\"]", "[\"1\", \"ff\"]", "[\"1\", \"c328\"]", "[\"1\", null]", "[\"1\", \"78\", \"78\"]",
            "[\"1\", \"eda080\"]"})
    void testBounds(String key)
    {
        assertBad("PRIMARY", "{\"lower\": %s}".formatted(key));
        assertBad("PRIMARY", "{\"upper\": %s}".formatted(key));
    }

    @Test
    void testUnsignedBounds()
    {
        assertBad("by_c", "{\"lower\": [\"-1\"]}");
        assertBad("by_c", "{\"lower\": [\"18446744073709551616\"]}");
        // The primary key's columns behind the index's own are not part of a bound.
        assertBad("by_c", "{\"lower\": [\"1\", \"1\"]}");
        try (Session session = new Session(server)) {
            RangePlan.ask(session, "s.t", "by_c", 4, "{\"lower\": [null], \"upper\": [\"18446744073709551615\"]}");
        }
    }

    @Test
    void testBadJsonIsNoCrash()
    {
        try (Session session = new Session(server)) {
            session.assertRefused("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, REPEAT('[', 4000000))", "bad_argument");
            session.assertRefused("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, REPEAT('{\"lower\":', 1000000))", "bad_argument");
            session.assertRefused("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, CONCAT('{\"lower\":[\"', REPEAT('9', 4000000), '\"]}'))", "bad_argument");
            session.assertRefused("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, x'7b22ff')", "bad_argument");
            session.assertRefused("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, 17)", "bad_argument");
        }
    }

    @Test
    void testRandomBytesAreNoCrash()
    {
        Random random = Seed.random();
        String valid = "{\"lower\": [\"1\", \"78\"], \"upper\": [\"2\"], \"leaf\": true}";
        try (Session session = new Session(server)) {
            for (int i = 0; i < 500; i++) {
                StringBuilder options = new StringBuilder(valid);
                options.setCharAt(random.nextInt(valid.length()), (char) (' ' + random.nextInt(95)));
                String call = "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, %s)".formatted(RandomText.literal(options.toString()));
                assertAnswerOrBadArgument(session, call);
            }
        }
    }

    @Test
    void testPartition()
    {
        try (Session session = new Session(server)) {
            assertThat(RangePlan.ask(session, "s.p", "PRIMARY", 4, "{\"partition\": \"p0\"}").reply().required("partition").textValue()).isEqualTo("p0");
            assertThat(RangePlan.ask(session, "s.p", "PRIMARY", 4, "{\"partition\": \"p 1\"}").reply().required("partition").textValue()).isEqualTo("p 1");
            session.assertRefused(RangePlan.call("s.p", "PRIMARY", 4, null), "bad_argument", "partition");
            session.assertFails(RangePlan.call("s.p", "PRIMARY", 4, "{\"partition\": \"p2\"}"), 1735);
            session.assertFails(RangePlan.call("s.t", "PRIMARY", 4, "{\"partition\": \"p0\"}"), 1747);
            session.assertRefused(RangePlan.call("s.p", "PRIMARY", 4, "{\"partition\": \"%s\"}".formatted("x".repeat(65))), "bad_argument");
        }
    }

    private static void assertAnswerOrBadArgument(Session session, String call)
    {
        try {
            RangePlan.parse(session.value(call));
        }
        catch (AssertionError e) {
            assertThat(e).hasMessageContaining("mysql_pq: bad_argument: ");
        }
    }

    private void assertBad(String index, String options)
    {
        try (Session session = new Session(server)) {
            session.assertRefused("SELECT mysql_pq_ranges('s', 't', '%s', 4, %s)".formatted(index, RandomText.literal(options)), "bad_argument");
        }
    }
}
