package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestArguments
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY)",
                "INSERT INTO s.t VALUES (1), (2)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NULL", "''", "REPEAT('x', 65)", "REPEAT('x', 5000000)", "x'00'", "x'7400'", "x'0074'", "x'ff'", "x'c328'", "x'73ff'", "x'f09f9880'", "17", "1.5", "1e3"})
    void testNames(String name)
    {
        for (String function : new String[] {"mysql_pq_ranges(%s, %s, %s, 4)", "mysql_pq_definition(%s, %s, %s)"}) {
            assertBad(function.formatted(name, "'t'", "'PRIMARY'"));
            assertBad(function.formatted("'s'", name, "'PRIMARY'"));
            assertBad(function.formatted("'s'", "'t'", name));
        }
    }

    /**
     * MySQL's names have no such characters. Its dictionary would cut each name before one, find the table of that name, and
     * wait for ever for the table that it was asked for.
     */
    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT mysql_pq_definition('s', 't\uD83D\uDE00', 'PRIMARY')",
            "SELECT mysql_pq_definition('s\uD83D\uDE00', 't', 'PRIMARY')",
            "SELECT mysql_pq_ranges('s', _utf8mb4 x'74F09F9880', 'PRIMARY', 4)",
            "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, JSON_OBJECT('partition', 't\uD83D\uDE00'))",
            "SELECT mysql_pq_snapshot_covers('s', 't\uD83D\uDE00')"})
    void testNamesWithCharactersThatMysqlDoesNotKnow(String call)
    {
        server.execute("SELECT * FROM s.t");
        for (int i = 0; i < 2; i++) {
            try (BackgroundCall running = new BackgroundCall(server, call)) {
                assertThat(running.failure().getMessage()).contains("bad_argument", "U+FFFF");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "0", "-1", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551615",
            "-9223372036854775808", "99999999999999999999999999", "NULL", "1.5", "4e0", "''", "'4x'", "' 4'", "'abc'"})
    void testCount(String count)
    {
        assertBad("mysql_pq_ranges('s', 't', 'PRIMARY', %s)".formatted(count));
    }

    @Test
    void testCountIsClamped()
    {
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 2_147_483_647);
            assertThat(plan.reply().required("count_requested").longValue()).isEqualTo(2_147_483_647);
            assertThat(plan.reply().required("count_clamped").booleanValue()).isTrue();
            RangePlan modest = RangePlan.ask(session, "s.t", "PRIMARY", 4);
            assertThat(modest.reply().required("count_requested").longValue()).isEqualTo(4);
            assertThat(modest.reply().required("count_clamped").booleanValue()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "mysql_pq_ranges()", "mysql_pq_ranges('s', 't', 'PRIMARY')", "mysql_pq_ranges('s', 't', 'PRIMARY', 4, NULL, NULL)",
            "mysql_pq_definition('s', 't')", "mysql_pq_definition('s', 't', 'PRIMARY', NULL, 1)"})
    void testNumberOfArguments(String call)
    {
        try (Session session = new Session(server)) {
            session.assertFails("SELECT " + call, 1123);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // A parameter of a prepared statement arrives as text.
            "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', '4')",
            "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, NULL)",
            "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, '{}')",
            "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4, JSON_OBJECT('leaf', FALSE))",
            "SELECT mysql_pq_ranges('s', 't', 'primary', 4)",
            "SELECT mysql_pq_ranges('s', CONVERT('t' USING latin1), 'PRIMARY', 4)"})
    void testGoodCalls(String call)
    {
        try (Session session = new Session(server)) {
            assertThat(RangePlan.parse(session.value(call)).columns()).map(KeyColumn::name).containsExactly("k");
        }
    }

    // The message names what was wrong, and the server is as well as before.
    private void assertBad(String call)
    {
        try (Session session = new Session(server)) {
            session.assertRefused("SELECT " + call, "bad_argument");
            assertThat(session.number("SELECT COUNT(*) FROM s.t")).isEqualTo(2);
        }
    }
}
