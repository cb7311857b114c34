package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.zaxxer.hikari.HikariDataSource;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.TestingConnections;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.spi.StandardErrorCode.USER_CANCELED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Cancels calls at every moment: before, while and after they have a connection. */
@TestInstance(PER_CLASS)
class TestOperationCall
{
    private static final java.time.Duration PROMPTLY = java.time.Duration.ofSeconds(20);
    private static final String HANGING = "SELECT SLEEP(1000)";
    private static final CredentialProvider ROOT = new CredentialProvider() {
        @Override
        public Optional<String> getConnectionUser(Optional<ConnectorIdentity> identity)
        {
            return Optional.of("root");
        }

        @Override
        public Optional<String> getConnectionPassword(Optional<ConnectorIdentity> identity)
        {
            return Optional.empty();
        }
    };

    private final ConnectorSession session = TestingConnectorSession.builder().build();
    private final ThreadPoolExecutor executor = (ThreadPoolExecutor) newCachedThreadPool(daemonThreadsNamed("test-call-%s"));
    private MysqlServer mysql;
    private ConnectionPools pools;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(false).start();
        pools = pools();
    }

    // All limits are far beyond what a test waits.
    private ConnectionPools pools()
    {
        Duration limit = new Duration(1000, SECONDS);
        return TestingConnections.pools(mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true", TestingConnections.config(4, limit), ROOT);
    }

    @AfterAll
    void stop()
    {
        pools.close();
        executor.shutdownNow();
        mysql.close();
    }

    @AfterEach
    void assertNothingLeft()
    {
        Await.until("no thread reads", PROMPTLY, () -> executor.getActiveCount() == 0);
        Await.until("no connection is in use", PROMPTLY, () -> pools.getActive() == 0);
        Await.until("MySQL runs nothing", PROMPTLY, () -> running() == 0);
        assertThat(value(call("SELECT 7"))).isEqualTo(7);
    }

    @Test
    void testCancelBeforeTheCall()
    {
        OperationCall<OperationHandle.Doctor> call = call(HANGING);
        call.cancel();
        assertTrinoExceptionThrownBy(call::rows).hasErrorCode(USER_CANCELED);
    }

    @Test
    void testCloseBeforeTheFirstRow()
    {
        RowsProcessor processor = processor(call(HANGING));
        processor.close();
        processor.close();
    }

    // A server that is stopped accepts connections and says nothing.
    @Test
    void testCloseWhileItWaitsForAConnection()
    {
        ConnectionPools empty = pools();
        try {
            mysql.freeze();
            RowsProcessor processor = processor(call(empty, HANGING));
            processor.process();
            Await.until("it waits for a connection", this::isWaitingForAConnection);
            processor.close();
            Await.until("it waits no longer", PROMPTLY, () -> executor.getActiveCount() == 0);
            assertThat(empty.getActive()).isZero();
        }
        finally {
            mysql.thaw();
            empty.close();
        }
    }

    @Test
    void testCancelWhileMysqlRuns()
    {
        OperationCall<OperationHandle.Doctor> call = call(HANGING);
        CompletableFuture<List<List<Object>>> rows = Background.supply(call::rows);
        Await.until("MySQL runs it", () -> running() == 1);
        call.cancel();
        call.cancel();
        assertTrinoExceptionThrownBy(() -> unwrapped(rows)).hasErrorCode(USER_CANCELED);
    }

    // Its session is whole, and may serve the next.
    @Test
    void testCloseAfterTheLastRow()
    {
        OperationCall<OperationHandle.Doctor> call = call("SELECT CONNECTION_ID()");
        RowsProcessor processor = processor(call);
        // A thread that has not begun yet is not active either.
        long before = executor.getCompletedTaskCount();
        processor.process();
        Await.until("it has read", () -> executor.getCompletedTaskCount() > before);
        long connection = value(call("SELECT CONNECTION_ID()"));
        processor.close();
        processor.close();
        assertThat(value(call("SELECT CONNECTION_ID()"))).isEqualTo(connection);
    }

    @Test
    void testFailureIsNoCancellation()
    {
        assertTrinoExceptionThrownBy(() -> call("SELECT nothing").rows()).hasErrorCode(JDBC_ERROR);
    }

    // A call may also be cancelled while its connection is lent, set up, or given back.
    @Test
    void testCloseAtAnyMoment()
    {
        long seed = System.nanoTime();
        System.out.println("Random seed: " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            RowsProcessor processor = processor(call(random.nextBoolean() ? HANGING : "SELECT 1"));
            processor.process();
            LockSupport.parkNanos(random.nextInt(3_000_000));
            processor.close();
            if (random.nextBoolean()) {
                processor.close();
            }
        }
    }

    private static void unwrapped(CompletableFuture<?> future)
    {
        try {
            future.join();
        }
        catch (CompletionException e) {
            throw (TrinoException) e.getCause();
        }
    }

    private boolean isWaitingForAConnection()
    {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("test-call-"))
                .flatMap(thread -> List.of(thread.getValue()).stream())
                .anyMatch(frame -> frame.getClassName().equals(HikariDataSource.class.getName()) && frame.getMethodName().equals("getConnection"));
    }

    private long running()
    {
        return Long.parseLong(getOnlyElement(mysql.values("SELECT count(*) FROM performance_schema.processlist WHERE info LIKE '/*mysql_pq %'")));
    }

    private static long value(OperationCall<?> call)
    {
        return (long) getOnlyElement(getOnlyElement(call.rows()));
    }

    private RowsProcessor processor(OperationCall<?> call)
    {
        return new RowsProcessor(Numbers.COLUMNS, call::rows, call::cancel, executor);
    }

    private OperationCall<OperationHandle.Doctor> call(String sql)
    {
        return call(pools, sql);
    }

    private OperationCall<OperationHandle.Doctor> call(ConnectionPools pools, String sql)
    {
        return new OperationCall<>(pools, session, new Numbers("/*mysql_pq %s user=test*/ %s".formatted(session.getQueryId(), sql)), new OperationHandle.Doctor());
    }

    private record Numbers(String sql)
            implements OperationRows<OperationHandle.Doctor>
    {
        private static final List<ResultColumn> COLUMNS = ImmutableList.of(ResultColumn.number("number"));

        @Override
        public List<ResultColumn> columns()
        {
            return COLUMNS;
        }

        @Override
        public List<List<Object>> rows(ConnectorSession session, Connection connection, OperationHandle.Doctor handle)
                throws SQLException
        {
            List<List<Object>> rows = new ArrayList<>();
            try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    rows.add(List.of(result.getLong(1)));
                }
            }
            return rows;
        }

        @Override
        public TrinoException failure(OperationHandle.Doctor handle, SQLException cause)
        {
            return new TrinoException(JDBC_ERROR, cause);
        }
    }
}
