package io.mysqlpq.cross.fault;

import com.google.common.base.Throwables;
import com.google.common.base.Ticker;
import io.mysqlpq.cross.MysqlRows;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.MysqlPqConnectorFactory;
import io.trino.spi.Plugin;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests faults of the sessions that plan and lend snapshots, and of the clock by which these age. */
class TestPlanningFaults
        extends BaseFaultTest
{
    private static final String CLOCKED = "clocked";
    private static final long PROMPTLY_SECONDS = 30;
    private static final int NO_SUCH_THREAD = 1094;

    private final AtomicLong jumpNanos = new AtomicLong();

    TestPlanningFaults()
    {
        super(MysqlServer.builder());
    }

    @BeforeAll
    void createCatalogs()
    {
        // MySQL is asked which index it would take.
        mysql.execute("CREATE TABLE s.indexed (k INT PRIMARY KEY, v INT NOT NULL, INDEX (v))", "INSERT INTO s.indexed SELECT k, v FROM s.t");
        cluster.trino().installPlugin(new ClockedPlugin());
        createCatalog(CLOCKED, ClockedPlugin.CONNECTOR, Map.of("snapshot-session-timeout", "1m"));
    }

    @Test
    void testKillQuery()
            throws SQLException
    {
        assertFails(Fault.KILL_QUERY_OF_PLANNING, FAULTY, Optional.of("KILL QUERY"), "Failed to plan ranges of table s.indexed", "Run the query again");
    }

    @Test
    void testKillConnection()
            throws SQLException
    {
        assertFails(Fault.KILL_CONNECTION_OF_PLANNING, FAULTY, Optional.of("KILL CONNECTION"), "Failed to plan ranges of table s.indexed", "Run the query again");
    }

    @Test
    void testLockWaitTimeout()
            throws SQLException
    {
        assertFails(Fault.LOCK_WAIT_TIMEOUT, IMPATIENT, Optional.empty(), "Lock wait timeout exceeded", "Run the query again when that statement has ended, or raise table-lock-timeout");
    }

    // Behind DDL that waits, all other clients of the table wait too.
    @ParameterizedTest
    @ValueSource(strings = {
            "INSERT INTO %s.s.written VALUES (1)",
            "DELETE FROM %s.s.written WHERE k = 7",
            "UPDATE %s.s.written SET k = 5 WHERE k = 7",
            "ALTER TABLE %s.s.written ADD COLUMN w INTEGER",
            "TRUNCATE TABLE %s.s.written",
            "DROP TABLE %s.s.written"})
    void testLockedTableOfAWrite(String sql)
            throws SQLException
    {
        mysql.execute("CREATE TABLE IF NOT EXISTS s.written (k INT PRIMARY KEY)");
        try (Connection owner = mysql.connect(); Statement lock = owner.createStatement()) {
            lock.execute("LOCK TABLES s.written WRITE");
            CompletableFuture<?> write = Background.supply(() -> cluster.query(sql.formatted(IMPATIENT)));
            assertThatThrownBy(() -> write.get(PROMPTLY_SECONDS, TimeUnit.SECONDS)).hasMessageContaining("Lock wait timeout exceeded").hasMessageContaining("raise table-lock-timeout");
            assertThat(waiting("LIKE '%written%'")).isEmpty();
        }
        assertThat(MysqlRows.read(mysql, "SELECT table_name FROM information_schema.tables WHERE table_schema = 's' AND table_name LIKE 'tmp%'")).isEmpty();
    }

    // EXPLAIN of a side of a join waits for a table that another client has locked.
    private void assertFails(Fault fault, String catalog, Optional<String> kill, String failure, String wayOut)
            throws SQLException
    {
        try (Connection connection = cluster.connect()) {
            String sql = "SELECT sum(a.v + b.k) FROM %1$s.s.indexed a JOIN %1$s.s.indexed b ON a.k = b.k WHERE a.v >= 0".formatted(catalog);
            long sum = number(connection, sql);
            try (Connection owner = mysql.connect(); Statement lock = owner.createStatement()) {
                lock.execute("LOCK TABLES s.indexed WRITE");
                CompletableFuture<Long> query = Background.supply(() -> number(connection, sql));
                kill.ifPresent(statement -> Await.until("planning is killed", () -> {
                    // It may be about to give its connection to others, and to come back.
                    waiting("LIKE '%EXPLAIN%'").forEach(id -> kill(statement, id));
                    return query.isDone();
                }));
                assertThatThrownBy(query::join).hasMessageContaining(failure).hasMessageContaining(wayOut).satisfies(error -> assertThat(fault.errorCodes()).extracting(code -> code.toErrorCode().getCode()).contains(errorCode(error)));
                fault.tried(false);
            }
            assertThat(number(connection, sql)).isEqualTo(sum);
        }
    }

    private void kill(String statement, String id)
    {
        try (Connection connection = mysql.connect(); Statement killing = connection.createStatement()) {
            killing.execute("%s %s".formatted(statement, id));
        }
        catch (SQLException e) {
            assertThat(e.getErrorCode()).isEqualTo(NO_SUCH_THREAD);
        }
    }

    // Statistics are worth no failure.
    @ParameterizedTest
    @ValueSource(strings = {"KILL QUERY", "KILL CONNECTION"})
    void testKillSampling(String kill)
            throws SQLException
    {
        String table = kill.replace(" ", "_").toLowerCase(Locale.ROOT);
        mysql.execute("CREATE TABLE s.%s AS SELECT k, v, g FROM s.t".formatted(table));
        try (Connection owner = mysql.connect(); Statement lock = owner.createStatement()) {
            lock.execute("LOCK TABLES s.%s WRITE".formatted(table));
            CompletableFuture<Integer> statistics = Background.supply(() -> cluster.query("SHOW STATS FOR %s.s.%s".formatted(FAULTY, table)).getRowCount());
            // It waits for no longer than a second.
            Await.until("sampling is killed while it waits", () -> {
                List<String> sampling = waiting("LIKE '%%%s%%'".formatted(table));
                sampling.forEach(id -> kill(kill, id));
                return !sampling.isEmpty();
            });
            // One row for each column, and one for the table.
            assertThat(statistics.join()).isEqualTo(4);
            Fault.KILL_OF_SAMPLING.tried(true);
        }
    }

    // Ends before its last row, so what came must not be taken for the answer.
    @ParameterizedTest
    @ValueSource(strings = {"KILL QUERY", "KILL CONNECTION"})
    void testKillPassedQuery(String kill)
            throws SQLException
    {
        String query = "SELECT k, SLEEP(IF(k > 10, 60, 0)) AS slept FROM s.t";
        try (Connection connection = cluster.connect()) {
            CompletableFuture<Long> count = Background.supply(() -> number(connection, "SELECT count(*) + sum(slept) FROM TABLE(%s.system.query(query => '%s'))".formatted(FAULTY, query)));
            Await.until("the query sleeps", () -> !sleeping().isEmpty());
            mysql.execute("%s %s".formatted(kill, sleeping().getFirst()));
            assertThatThrownBy(count::join)
                    .hasMessageMatching("(?s).*(Query execution was interrupted|Communications link failure).*")
                    .satisfies(error -> assertThat(Fault.KILL_OF_PASSED_QUERY.errorCodes()).extracting(code -> code.toErrorCode().getCode()).contains(errorCode(error)));
            Fault.KILL_OF_PASSED_QUERY.tried(false);
        }
    }

    private List<String> sleeping()
    {
        return MysqlRows.read(mysql, "SELECT id FROM performance_schema.processlist WHERE state = 'User sleep'");
    }

    private static int errorCode(Throwable error)
    {
        return Throwables.getCausalChain(error).stream()
                .filter(SQLException.class::isInstance)
                .mapToInt(cause -> ((SQLException) cause).getErrorCode())
                .findFirst()
                .orElseThrow();
    }

    private List<String> waiting(String statement)
    {
        return MysqlRows.read(mysql, "SELECT id FROM performance_schema.processlist WHERE state = 'Waiting for table metadata lock' AND info " + statement);
    }

    private static long number(Connection connection, String sql)
    {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void testClockJumps()
    {
        mysql.execute("CREATE TABLE s.c (k INT PRIMARY KEY, v INT NOT NULL)", "INSERT INTO s.c VALUES (1, 1), (2, 1)");
        assertAnswers(CLOCKED);
        assertThat(sumOfGroup()).isEqualTo(2);
        mysql.execute("UPDATE s.c SET v = 10");
        assertThat(sumOfGroup()).isEqualTo(2);
        jumpNanos.addAndGet(TimeUnit.DAYS.toNanos(1));
        // Whatever was remembered is as old as can be, the group's snapshot too.
        assertThat(sumOfGroup()).isEqualTo(20);
        assertAnswers(CLOCKED);
        Fault.CLOCK_JUMP.tried(true);
    }

    private long sumOfGroup()
    {
        return (long) cluster.query("WITH SESSION clocked.snapshot_group = 'g', clocked.snapshot_group_age = '10s' SELECT sum(v) FROM clocked.s.c").getOnlyValue();
    }

    /** The connector, whose clock this test sets. */
    private final class ClockedPlugin
            implements Plugin, ConnectorFactory
    {
        private static final String CONNECTOR = "mysql_pq_clocked";

        @Override
        public Iterable<ConnectorFactory> getConnectorFactories()
        {
            return List.of(this);
        }

        @Override
        public String getName()
        {
            return CONNECTOR;
        }

        @Override
        public Connector create(String catalog, Map<String, String> config, ConnectorContext context)
        {
            return new MysqlPqConnectorFactory(new Ticker() {
                @Override
                public long read()
                {
                    return System.nanoTime() + jumpNanos.get();
                }
            }).create(catalog, config, context);
        }
    }
}
