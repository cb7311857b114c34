package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that an interrupted call is an error, never an empty or short answer (hazard 5).
 */
@TestInstance(PER_CLASS)
class TestInterrupt
{
    private static final String CALL = "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4)";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    @AutoClose
    private final Session blocker = new Session(server);

    @BeforeEach
    void lockTable()
    {
        blocker.execute("CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY)", "LOCK TABLES s.t WRITE");
    }

    @AfterEach
    void dropTable()
    {
        blocker.execute("UNLOCK TABLES", "DROP SCHEMA s", "SET GLOBAL mysql_pq_enabled = ON", "SET GLOBAL mysql_pq_lock_wait_timeout = DEFAULT");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testKillQuery()
    {
        try (BackgroundCall call = new BackgroundCall(server, CALL).awaitMetadataLockWait()) {
            server.execute("KILL QUERY " + call.connectionId());
            assertThat(call.failure().getErrorCode()).isEqualTo(1317);
        }
    }

    @Test
    void testKillConnection()
    {
        try (BackgroundCall call = new BackgroundCall(server, CALL).awaitMetadataLockWait()) {
            server.execute("KILL " + call.connectionId());
            assertThat(call.failure().getMessage()).isNotEmpty();
        }
    }

    @Test
    void testMaxExecutionTime()
    {
        try (BackgroundCall call = new BackgroundCall(server, CALL, "SET max_execution_time = 200")) {
            assertThat(call.failure().getErrorCode()).isEqualTo(3024);
        }
    }

    @Test
    void testLockWaitTimeout()
    {
        try (BackgroundCall call = new BackgroundCall(server, CALL, "SET lock_wait_timeout = 1")) {
            assertThat(call.failure().getErrorCode()).isEqualTo(1205);
        }
    }

    // The server's default is a year (hazard 16).
    @Test
    void testOwnLockWaitTimeoutIsSeconds()
    {
        try (Session session = new Session(server)) {
            assertThat(session.number("SELECT @@GLOBAL.mysql_pq_lock_wait_timeout")).isBetween(1L, 60L);
            session.execute("SET GLOBAL mysql_pq_lock_wait_timeout = 1");
            try (BackgroundCall call = new BackgroundCall(server, CALL)) {
                assertThat(call.failure().getErrorCode()).isEqualTo(1205);
            }
        }
    }

    @Test
    void testDisablingEndsRunningCalls()
    {
        try (BackgroundCall call = new BackgroundCall(server, CALL).awaitMetadataLockWait()) {
            server.execute("SET GLOBAL mysql_pq_enabled = OFF");
            blocker.execute("UNLOCK TABLES");
            assertThat(call.failure().getMessage()).startsWith("mysql_pq: disabled: ");
        }
    }

    @Test
    void testWaitingCallSucceedsAfterUnlock()
    {
        try (BackgroundCall call = new BackgroundCall(server, CALL).awaitMetadataLockWait()) {
            blocker.execute("UNLOCK TABLES");
            assertThat(RangePlan.parse(call.value()).count()).isEqualTo(1);
        }
    }
}
