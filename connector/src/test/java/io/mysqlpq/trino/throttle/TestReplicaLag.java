package io.mysqlpq.trino.throttle;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Sql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_REPLICA_LAG;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_STATE_DENIED;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Makes a real replica of a real source lag, and stop. */
@TestInstance(PER_CLASS)
class TestReplicaLag
{
    private static final Map<String, Object> FRESH = ImmutableMap.of("max_replica_lag", "500ms");
    private static final Map<String, Object> FRESH_OR_WAIT = ImmutableMap.of("max_replica_lag", "500ms", "replica_lag_handling", "WAIT");

    private MysqlServer source;
    private MysqlServer replica;
    private long inserted;

    @BeforeAll
    void start()
    {
        source = server(1);
        source.execute("CREATE USER repl IDENTIFIED BY 'repl'", "GRANT REPLICATION SLAVE ON *.* TO repl", "CREATE DATABASE test", "CREATE TABLE test.t (k INT PRIMARY KEY)");
        replica = server(2);
        replica.execute(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %d, SOURCE_USER = 'repl', SOURCE_PASSWORD = 'repl', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1".formatted(source.port()),
                "START REPLICA");
        awaitCaughtUp();
    }

    private static MysqlServer server(int id)
    {
        return MysqlServer.builder().extension(false).binaryLog().option("gtid-mode", "ON").option("enforce-gtid-consistency", "ON").option("server-id", String.valueOf(id)).start();
    }

    @AfterAll
    void stop()
    {
        replica.close();
        source.close();
    }

    @Test
    void testReplicaThatCannotApply()
            throws SQLException
    {
        try (AdmittedServer server = new AdmittedServer(replica, config()); Connection locking = replica.connect()) {
            server.query(FRESH).join();
            // A reader's table lock, behind which the applier stands still.
            Sql.execute(locking, "LOCK TABLES test.t READ");
            insert();
            awaitRefusal(server, FRESH, "lags by");
            // Who does not ask for it, reads.
            server.query(ImmutableMap.of()).join();
            CompletableFuture<Void> patient = server.query(FRESH_OR_WAIT);
            Await.until("the query waits", () -> server.admission().getWaiting() == 1);
            assertThat(patient).isNotDone();
            Sql.execute(locking, "UNLOCK TABLES");
            patient.join();
        }
        awaitCaughtUp();
    }

    /** MySQL's coordinator then holds transactions back, and the workers have none. */
    @Test
    void testDelayedReplica()
    {
        replica.execute("STOP REPLICA SQL_THREAD", "CHANGE REPLICATION SOURCE TO SOURCE_DELAY = 3600", "START REPLICA SQL_THREAD");
        try (AdmittedServer server = new AdmittedServer(replica, config())) {
            // Nothing has happened since.
            server.query(FRESH).join();
            insert();
            awaitRefusal(server, FRESH, "lags by");
        }
        finally {
            replica.execute("STOP REPLICA SQL_THREAD", "CHANGE REPLICATION SOURCE TO SOURCE_DELAY = 0", "START REPLICA SQL_THREAD");
        }
        awaitCaughtUp();
    }

    @Test
    void testStoppedReplica()
    {
        for (String thread : new String[] {"SQL_THREAD", "IO_THREAD"}) {
            replica.execute("STOP REPLICA " + thread);
            try (AdmittedServer server = new AdmittedServer(replica, config().setThrottleReplicaLag(new Duration(500, MILLISECONDS)))) {
                assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(server.query(FRESH)))
                        .hasErrorCode(MYSQL_PQ_REPLICA_LAG)
                        .hasMessageContaining("not replicating")
                        .hasMessageContaining("max_replica_lag is 500")
                        .hasMessageContaining("START REPLICA");
                // No read makes it slower.
                server.range().join();
            }
            finally {
                replica.execute("START REPLICA " + thread);
            }
        }
        awaitCaughtUp();
    }

    @Test
    void testThrottle()
            throws SQLException
    {
        ThrottleConfig throttle = config().setThrottleReplicaLag(new Duration(500, MILLISECONDS));
        try (AdmittedServer server = new AdmittedServer(replica, throttle);
                AdmittedServer impatient = new AdmittedServer(replica, config().setThrottleReplicaLag(new Duration(500, MILLISECONDS)).setThrottleWaitTimeout(new Duration(100, MILLISECONDS)));
                Connection locking = replica.connect()) {
            server.range().join();
            Sql.execute(locking, "LOCK TABLES test.t READ");
            insert();
            Await.until("a range is held back", () -> {
                CompletableFuture<Void> _ = server.range();
                return server.admission().getWaiting() > 0;
            });
            assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(impatient.range()))
                    .hasErrorCode(MYSQL_PQ_SERVER_BUSY)
                    .hasMessageContaining("falls behind")
                    .hasMessageContaining("throttle-replica-lag");
            // Who wants to fail at once is not kept waiting by the throttle.
            CompletableFuture<Void> fresh = server.query(FRESH);
            Await.until("the query is refused", fresh::isDone);
            assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(fresh)).hasErrorCode(MYSQL_PQ_REPLICA_LAG);
            Sql.execute(locking, "UNLOCK TABLES");
            Await.until("the ranges go on", () -> server.admission().getWaiting() == 0);
            server.range().join();
        }
        awaitCaughtUp();
    }

    @Test
    void testSourceDoesNotLag()
    {
        try (AdmittedServer server = new AdmittedServer(source, config().setThrottleReplicaLag(new Duration(1, MILLISECONDS)))) {
            server.query(ImmutableMap.of("max_replica_lag", "1ms")).join();
            server.range().join();
        }
    }

    @Test
    void testMissingPrivilege()
    {
        replica.execute("SET SESSION sql_log_bin = OFF", "CREATE USER reader IDENTIFIED BY 'reader'");
        try (AdmittedServer server = new AdmittedServer(replica, "reader", "reader", config());
                AdmittedServer throttled = new AdmittedServer(replica, "reader", "reader", config().setThrottleReplicaLag(new Duration(1, SECONDS)))) {
            // The account may know nothing of the group either, which is no reason to refuse it.
            server.query(ImmutableMap.of()).join();
            assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(server.query(FRESH)))
                    .hasErrorCode(MYSQL_PQ_SERVER_STATE_DENIED)
                    .hasMessageContaining("max_replica_lag")
                    .hasMessageContaining("GRANT SELECT ON performance_schema.*")
                    .hasMessageContaining("replication_applier_status_by_coordinator");
            assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(throttled.range()))
                    .hasErrorCode(MYSQL_PQ_SERVER_STATE_DENIED)
                    .hasMessageContaining("throttle-replica-lag");
            replica.execute("SET SESSION sql_log_bin = OFF", "GRANT SELECT ON performance_schema.* TO reader");
            awaitCaughtUp();
            // For an interval the refusal is remembered.
            Await.until("the accounts see the lag", () -> succeeds(server.query(FRESH)) && succeeds(throttled.range()));
        }
        replica.execute("SET SESSION sql_log_bin = OFF", "DROP USER reader");
    }

    /** Whatever the reason: nobody knows how far the replica lags. */
    @Test
    void testLagThatCannotBeRead()
            throws SQLException
    {
        replica.execute("SET SESSION sql_log_bin = OFF", "CREATE USER limited WITH MAX_USER_CONNECTIONS 1");
        try (AdmittedServer server = new AdmittedServer(replica, "limited", "", config()); Connection _ = replica.connect("limited", "")) {
            CompletableFuture<Void> query = server.query(FRESH);
            Await.until("the query is refused", query::isDone);
            assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(query)).hasErrorCode(MYSQL_PQ_REPLICA_LAG).hasMessageContaining("did not report its lag");
        }
        try (AdmittedServer server = new AdmittedServer(replica, "limited", "wrong", config().setThrottleReplicaLag(new Duration(1, SECONDS)))) {
            // Not a missing privilege, and nothing that waiting mends.
            CompletableFuture<Void> query = server.query(FRESH_OR_WAIT);
            Await.until("the query is refused", query::isDone);
            assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(query)).hasErrorCode(JDBC_ERROR).hasMessageContaining("Access denied");
            // The read itself will say so.
            server.range().join();
        }
        replica.execute("SET SESSION sql_log_bin = OFF", "DROP USER limited");
    }

    private static ThrottleConfig config()
    {
        return new ThrottleConfig().setThrottlePollInterval(new Duration(10, MILLISECONDS)).setThrottleWaitTimeout(new Duration(60, SECONDS));
    }

    private static void awaitRefusal(AdmittedServer server, Map<String, Object> session, String reason)
    {
        Await.until("a query is refused", () -> {
            CompletableFuture<Void> query = server.query(session);
            query.exceptionally(_ -> null).join();
            return query.isCompletedExceptionally();
        });
        assertTrinoExceptionThrownBy(() -> TestServerAdmission.join(server.query(session)))
                .hasErrorCode(MYSQL_PQ_REPLICA_LAG)
                .hasMessageContaining(reason)
                .hasMessageContaining("max_replica_lag is 500");
    }

    private static boolean succeeds(CompletableFuture<Void> future)
    {
        return future.handle((_, failure) -> failure == null).join();
    }

    private void insert()
    {
        inserted++;
        source.execute("INSERT INTO test.t VALUES (%d)".formatted(inserted));
    }

    private void awaitCaughtUp()
    {
        insert();
        Await.until("the replica has all rows", () -> {
            try (Connection connection = replica.connect()) {
                return Sql.value(connection, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'test'").equals("1")
                        && Sql.value(connection, "SELECT COUNT(*) FROM test.t").equals(String.valueOf(inserted));
            }
            catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
