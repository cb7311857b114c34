package io.mysqlpq.trino.scan;

import com.google.common.base.Ticker;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Sql;
import io.mysqlpq.trino.connection.ConnectionClock;
import io.mysqlpq.trino.connection.ConnectionConfig;
import io.mysqlpq.trino.connection.ConnectionPermits;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.ReadingScan;
import io.mysqlpq.trino.connection.TestingConnections;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.metrics.ReadTotals;
import io.mysqlpq.trino.throttle.ServerAdmission;
import io.mysqlpq.trino.throttle.ThrottleConfig;
import io.trino.plugin.jdbc.credential.StaticCredentialProvider;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestRangeAdmission
{
    private static final Duration LIMIT = new Duration(60, SECONDS);
    // More threads than run in an idle server, whoever looks.
    private static final int BUSY = 8;

    private MysqlServer mysql;
    private ConnectionConfig config;
    private ConnectionClock clock;
    private ConnectionPools pools;
    private ConnectionPermits permits;
    private ServerAdmission serverAdmission;
    // Ids of sessions that run a statement, which ends only when it is killed.
    private final List<Long> busy = new ArrayList<>();

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(false).start();
        config = TestingConnections.config(2, LIMIT);
        clock = new ConnectionClock(TestingConnections.CATALOG);
        pools = TestingConnections.pools(mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true", config, new StaticCredentialProvider(Optional.of("root"), Optional.of("")));
        serverAdmission = new ServerAdmission(
                pools,
                TestingConnections.CATALOG,
                RemoteQueryModifier.NONE,
                new ThrottleConfig().setThrottleThreadsRunning(BUSY).setThrottlePollInterval(new Duration(10, MILLISECONDS)),
                Ticker.systemTicker());
    }

    @BeforeEach
    void createPermits()
    {
        permits = new ConnectionPermits(config, clock);
    }

    @AfterEach
    void endBusySessions()
    {
        busy.forEach(id -> mysql.execute("KILL " + id));
        busy.clear();
    }

    @AfterAll
    void stop()
    {
        serverAdmission.close();
        pools.close();
        clock.close();
        mysql.close();
    }

    /** The wait for a connection may be long, and what MySQL said before it long past. */
    @Test
    @Timeout(60)
    void testServerThatIsBusyWhenTheConnectionIsFree()
    {
        RangeAdmission admission = admission();
        Permit first = admission.admit().join();
        Permit second = admission.admit().join();
        CompletableFuture<Permit> third = admission.admit();
        Await.until("it waits for a connection", () -> permits.waiting() == 1);
        for (int i = 0; i < BUSY; i++) {
            beginBusySession();
        }
        Await.until("MySQL is busy", () -> mysql.status("Threads_running") >= BUSY);
        second.close();
        Await.until("it waits for MySQL, without a connection", () -> serverAdmission.getWaiting() == 1 && permits.held() == 1);
        assertThat(third).isNotDone();
        endBusySessions();
        third.join().close();
        first.close();
        assertThat(permits.held()).isZero();
    }

    /** A reader that finds out how to go on may be late. */
    @Test
    void testWaitThatBeginsAfterCancelling()
    {
        RangeAdmission admission = admission();
        Permit first = admission.admit().join();
        Permit second = admission.admit().join();
        admission.cancel();
        CompletableFuture<Permit> late = admission.admit();
        Await.until("it is given up", late::isCompletedExceptionally);
        first.close();
        second.close();
        assertThat(permits.held()).isZero();
        assertThat(permits.waiting()).isZero();
    }

    private RangeAdmission admission()
    {
        return new RangeAdmission(serverAdmission, permits, TestingConnectorSession.SESSION, new ReadingScan("scan", "query", "user", 2), new ReadMetrics("node", new ReadTotals()));
    }

    private void beginBusySession()
    {
        CompletableFuture<Long> id = new CompletableFuture<>();
        CompletableFuture<Void> _ = Background.run(() -> {
            try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
                id.complete(Long.parseLong(Sql.value(connection, "SELECT CONNECTION_ID()")));
                statement.execute("SELECT SLEEP(600)");
            }
            catch (SQLException e) {
                // Killed.
                id.completeExceptionally(e);
            }
        });
        busy.add(id.join());
    }
}
