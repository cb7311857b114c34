package io.mysqlpq.extension;

import com.fasterxml.jackson.databind.JsonNode;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests mysql_pq_read_ahead: who may call it, what it reads and where it stops.
 */
@TestInstance(PER_CLASS)
class TestReadaheadFunction
{
    private static final String CALL = "SELECT mysql_pq_read_ahead('s', 't', 'PRIMARY')";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder()
            .extension(true)
            .option("cte-max-recursion-depth", "100000")
            .option("innodb-buffer-pool-load-at-startup", "OFF")
            .option("innodb-buffer-pool-dump-at-shutdown", "OFF")
            .start();

    @BeforeEach
    void createColdTable()
    {
        server.execute("DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s", "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v VARCHAR(1000) CHARACTER SET latin1, KEY by_v (v(9)))");
        FragmentedTable.fill(server, "s.t", 4_000);
        server.restart();
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private static JsonNode call(Session session, String options)
    {
        return RangePlan.json(session.value("SELECT mysql_pq_read_ahead('s', 't', 'PRIMARY', '%s')".formatted(options)));
    }

    private static void assertReply(JsonNode reply, long leastAsked, long mostAsked, String stopped)
    {
        assertThat(reply.required("protocol").intValue()).isEqualTo(1);
        assertThat(reply.required("pages_asked").longValue()).as(reply.toString()).isBetween(leastAsked, mostAsked);
        assertThat(reply.required("stopped").textValue()).as(reply.toString()).isEqualTo(stopped);
    }

    @Test
    void testWholeIndex()
    {
        try (Session session = new Session(server)) {
            long leaves = FragmentedTable.leaves(session, "s.t");
            assertReply(call(session, "{}"), leaves * 9 / 10, leaves, null);
            Await.until("all are read", () -> session.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Innodb_data_pending_reads'") == 0);
            JsonNode again = call(session, "{}");
            assertReply(again, 0, 0, null);
            assertThat(again.required("pages_resident").longValue()).isGreaterThanOrEqualTo(leaves * 9 / 10);
            // Then MySQL finds them, and reads no more than the levels above.
            long reads = session.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Innodb_buffer_pool_reads'");
            session.value("SELECT COUNT(v) FROM s.t FORCE INDEX (PRIMARY)");
            assertThat(session.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Innodb_buffer_pool_reads'") - reads).isLessThan(10);
            assertThat(StatusCounters.value(session, "readahead_pages_reserved")).isZero();
        }
    }

    @Test
    void testPartsOfAnIndex()
    {
        try (Session session = new Session(server)) {
            long leaves = FragmentedTable.leaves(session, "s.t");
            assertReply(call(session, "{\"upper\": [\"%s\"]}".formatted(FragmentedTable.KEYS / 10)), leaves * 6 / 100, leaves * 12 / 100, null);
            assertReply(call(session, "{\"pages\": 40}"), 1, 40, "pages");
            assertThat(RangePlan.json(session.value("SELECT mysql_pq_read_ahead('s', 't', 'by_v')")).required("pages_asked").longValue()).isPositive();
        }
    }

    @Test
    void testLimits()
    {
        try (Session session = new Session(server)) {
            // The pool has 8192 pages.
            server.execute("SET GLOBAL mysql_pq_readahead_pool_share = 1");
            assertReply(call(session, "{}"), 50, 81, "pool_share");
            server.execute("SET GLOBAL mysql_pq_readahead_window = 0");
            assertReply(call(session, "{}"), 0, 0, "off");
            server.execute("SET GLOBAL mysql_pq_readahead_window = DEFAULT", "SET GLOBAL mysql_pq_readahead_in_flight = 0");
            assertReply(call(session, "{}"), 0, 0, "off");
            assertThat(StatusCounters.value(session, "readahead_pages_reserved")).isZero();
        }
    }

    @Test
    void testPartition()
    {
        server.execute("ALTER TABLE s.t PARTITION BY HASH (k) PARTITIONS 3");
        server.restart();
        try (Session session = new Session(server)) {
            session.assertRefused(CALL, "bad_argument", "partition");
            assertReply(call(session, "{\"partition\": \"p1\"}"), 10, 1000, null);
            session.assertFails("SELECT mysql_pq_read_ahead('s', 't', 'PRIMARY', '{\"partition\": \"p9\"}')", 1735);
        }
    }

    @Test
    void testOnlyOfAdministrators()
    {
        server.execute("CREATE USER reader IDENTIFIED BY 'secret'", "GRANT SELECT ON s.* TO reader", "CREATE USER administrator IDENTIFIED BY 'secret'", "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO administrator");
        try (Session reader = new Session(server, "reader", "secret"); Session administrator = new Session(server, "administrator", "secret")) {
            reader.assertFails(CALL, 1227);
            // Nor does it tell whether a table exists.
            reader.assertFails(CALL.replace("'t'", "'none'"), 1227);
            administrator.assertFails(CALL, 1142);
            server.execute("GRANT SELECT ON s.* TO administrator");
            administrator.value(CALL);
        }
        server.execute("DROP USER reader, administrator");
    }

    @Test
    void testWrongTables()
    {
        server.execute("CREATE VIEW s.w AS SELECT * FROM s.t", "CREATE TABLE s.m (k INT PRIMARY KEY) ENGINE = MEMORY");
        try (Session session = new Session(server)) {
            session.assertFails(CALL.replace("'t'", "'none'"), 1146);
            session.assertFails(CALL.replace("'t'", "'w'"), 1347);
            session.assertFails(CALL.replace("'t'", "'m'"), 1178);
            session.assertFails(CALL.replace("PRIMARY", "none"), 1176);
            session.assertRefused("SELECT mysql_pq_read_ahead('s', 't', 'PRIMARY', '{\"pages\": 0}')", "bad_argument", "options.pages");
            session.assertRefused("SELECT k, mysql_pq_read_ahead('s', 't', 'PRIMARY') FROM s.t", "bad_context");
            session.assertFails("SELECT mysql_pq_read_ahead('s', 't')", 1123);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL QUERY %s", "SET GLOBAL mysql_pq_enabled = OFF"})
    void testInterrupted(String how)
    {
        server.execute("SET GLOBAL mysql_pq_readahead_pause = 60000", "SET GLOBAL mysql_pq_readahead_window = 16");
        try (Session observer = new Session(server)) {
            long looks = ReadaheadCounters.read(observer).looks();
            try (BackgroundCall call = new BackgroundCall(server, CALL)) {
                Await.until("it has read a window", () -> ReadaheadCounters.read(observer).looks() > looks);
                server.execute(how.formatted(call.connectionId()));
                assertThat(call.failure().getErrorCode()).isIn(1317, 3200);
            }
            assertThat(StatusCounters.value(observer, "readahead_pages_reserved")).isZero();
        }
        server.execute("SET GLOBAL mysql_pq_enabled = ON");
    }

    // Pages may still be read when it has ended and its lock is gone.
    @Test
    void testTableDroppedBehindIt()
    {
        for (String end : new String[] {"TRUNCATE s.t", "ALTER TABLE s.t FORCE", "DROP TABLE s.t"}) {
            server.execute("SET GLOBAL mysql_pq_readahead_pool_share = 50", "SET GLOBAL mysql_pq_readahead_in_flight = 1024");
            server.execute(CALL, end);
            server.assertErrorLogClean();
        }
    }
}
