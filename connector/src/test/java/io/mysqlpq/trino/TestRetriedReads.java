package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.execution.QueryStats;
import io.trino.operator.RetryPolicy;
import io.trino.plugin.exchange.filesystem.FileSystemExchangePlugin;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Kills reads of ranges in the midst of them: what is read again has to be of the query's moment, while others write. */
@TestInstance(PER_CLASS)
class TestRetriedReads
{
    private static final int ACCOUNTS = 30_000;
    // A range of 3,000 rows is more than the sockets hold, so its statement can be seen while Trino reads it.
    private static final int FILLER = 3000;
    private static final int SOCKET_BYTES = 65_536;
    private static final long TOTAL = 100L * ACCOUNTS;
    private static final int RETRIED_QUERIES = 5;
    private static final int MOST_QUERIES = 200;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int NO_SUCH_THREAD = 1094;

    private final Random random = Seed.random();

    @TempDir
    private Path exchangeFolder;

    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE DATABASE bank",
                "CREATE TABLE bank.accounts (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL, filler VARCHAR(%s) NOT NULL)".formatted(FILLER),
                "INSERT INTO bank.accounts WITH RECURSIVE s (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT n, 100, REPEAT('x', %s) FROM s".formatted(ACCOUNTS - 1, FILLER),
                "ANALYZE TABLE bank.accounts");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    @ParameterizedTest
    @EnumSource(value = RetryPolicy.class, names = {"TASK", "QUERY"})
    void testTotalIsExact(RetryPolicy policy)
            throws Exception
    {
        AtomicBoolean stopped = new AtomicBoolean();
        try (DistributedQueryRunner trino = createTrino(policy)) {
            CompletableFuture<Void> writer = Background.run(() -> transfer(stopped));
            CompletableFuture<Void> killer = Background.run(() -> kill(stopped));
            try {
                int retried = 0;
                for (int queries = 0; retried < RETRIED_QUERIES; queries++) {
                    assertThat(queries).as("queries of which %s were retried", retried).isLessThan(MOST_QUERIES);
                    var result = trino.executeWithPlan(trino.getDefaultSession(), "SELECT sum(amount), count(*), count(DISTINCT id), min(length(filler)) FROM accounts");
                    assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly(TOTAL, (long) ACCOUNTS, (long) ACCOUNTS, (long) FILLER);
                    QueryStats stats = trino.getCoordinator().getFullQueryInfo(result.queryId()).getQueryStats();
                    retried += stats.getFailedTasks() > 0 ? 1 : 0;
                }
            }
            finally {
                stopped.set(true);
            }
            writer.join();
            killer.join();
            // Functions are split like tables.
            assertThat(trino.execute("SELECT check_name FROM TABLE(mysql_pq.system.doctor())").getRowCount()).isGreaterThan(5);
        }
    }

    /** Ends the session that lends the query's snapshot: the query begins anew in another one. */
    @ParameterizedTest
    @ValueSource(strings = {"", "accounts"})
    void testLostSnapshot(String group)
            throws Exception
    {
        AtomicBoolean stopped = new AtomicBoolean();
        try (DistributedQueryRunner trino = createTrino(RetryPolicy.QUERY)) {
            Session session = group.isEmpty() ? trino.getDefaultSession() : Session.builder(trino.getDefaultSession()).setCatalogSessionProperty("mysql_pq", "snapshot_group", group).build();
            CompletableFuture<Void> writer = Background.run(() -> transfer(stopped));
            CompletableFuture<Void> killer = Background.run(this::killDonorOfRunningRead);
            try {
                var result = trino.executeWithPlan(session, "SELECT sum(a.amount), sum(b.amount), count(*), min(length(a.filler)) FROM accounts a JOIN accounts b ON a.id = b.id");
                assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly(TOTAL, TOTAL, (long) ACCOUNTS, (long) FILLER);
                killer.join();
                assertThat(trino.getCoordinator().getFullQueryInfo(result.queryId()).getQueryStats().getFailedTasks()).isPositive();
            }
            finally {
                stopped.set(true);
            }
            writer.join();
        }
    }

    /** A table that the first run has read to its end is free, and may be altered. The query begins anew in a snapshot that knows of it. A query of the function query reads in none. */
    @Test
    void testTableAlteredAfterItsLastRead()
            throws Exception
    {
        mysql.execute(
                "CREATE TABLE bank.owners (id BIGINT PRIMARY KEY, name VARCHAR(20) NOT NULL)",
                "INSERT INTO bank.owners SELECT id, 'owner' FROM bank.accounts WHERE id < 1000",
                "CREATE TABLE bank.gate (one BIGINT NOT NULL)",
                "INSERT INTO bank.gate VALUES (1)",
                // A query on a busy machine must not give way before it has read the owners.
                "SET GLOBAL mysql_pq_ddl_wait_limit = 60000",
                // Neither may the function's query, which waits for the row of the gate.
                "SET GLOBAL innodb_lock_wait_timeout = 600");
        try (DistributedQueryRunner trino = createTrino(RetryPolicy.QUERY); Connection gate = mysql.connect(); Statement statement = gate.createStatement()) {
            // Until Trino has the row of the gate, it takes no more of the accounts than it has room for. The accounts are therefore being read for
            // as long as this transaction locks the gate.
            gate.setAutoCommit(false);
            statement.execute("SELECT one FROM bank.gate FOR UPDATE");
            // Neither join may take in all of the accounts before it gives rows out, whatever MySQL guesses of the new tables.
            Session session = Session.builder(trino.getDefaultSession())
                    .setSystemProperty("join_reordering_strategy", "NONE")
                    .setSystemProperty("join_distribution_type", "BROADCAST")
                    .build();
            var query = Background.supply(() -> trino.executeWithPlan(
                    session,
                    "SELECT count(*), sum(a.amount), min(length(a.filler)) FROM accounts a JOIN owners o ON a.id % 1000 = o.id CROSS JOIN TABLE(mysql_pq.system.query('SELECT one FROM bank.gate FOR SHARE')) WHERE length(o.name) * a.id + one > 0"));
            Await.until("accounts are read", () -> !readers().isEmpty());
            // It waits until the owners are read, but not until the query ends.
            mysql.execute("ALTER TABLE bank.owners ADD COLUMN age INT, ALGORITHM = INSTANT");
            assertThat(query.isDone()).isFalse();
            Await.until("a reader is ended", this::killReaders);
            gate.rollback();
            assertThat(query.join().result().getMaterializedRows().getFirst().getFields()).containsExactly((long) ACCOUNTS, TOTAL, (long) FILLER);
            assertThat(trino.getCoordinator().getFullQueryInfo(query.join().queryId()).getQueryStats().getFailedTasks()).isPositive();
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_ddl_wait_limit = DEFAULT, GLOBAL innodb_lock_wait_timeout = DEFAULT");
        }
    }

    private List<String> readers()
    {
        return mysql.values("SELECT id FROM information_schema.processlist WHERE info LIKE '%*/ SELECT mysql\\_pq\\_scan(%accounts%' AND id <> CONNECTION_ID()");
    }

    // Whether there were any.
    private boolean killReaders()
    {
        List<String> readers = readers();
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            for (String reader : readers) {
                killSession(statement, Long.parseLong(reader));
            }
            return !readers.isEmpty();
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // It stays open for as long as the query runs, and does nothing: the last session that exported a snapshot.
    private void killDonorOfRunningRead()
    {
        Await.until("a range is read", () -> !readers().isEmpty());
        List<String> donors = mysql.values("SELECT t.processlist_id FROM performance_schema.events_statements_history h JOIN performance_schema.threads t USING (thread_id) WHERE h.sql_text LIKE '%SELECT mysql\\_pq\\_snapshot\\_export()%' AND t.processlist_id <> CONNECTION_ID()");
        assertThat(donors).isNotEmpty();
        // Those of queries before may end by themselves.
        donors.forEach(mysql::endSession);
    }

    private DistributedQueryRunner createTrino(RetryPolicy policy)
            throws Exception
    {
        DistributedQueryRunner trino = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("bank").build())
                .setWorkerCount(1)
                .setExtraProperties(ImmutableMap.of(
                        "retry-policy", policy.name(),
                        "retry-initial-delay", "0s",
                        "query-retry-attempts", "20",
                        "task-retry-attempts-per-task", "20",
                        "fault-tolerant-execution-task-memory", "500MB"))
                .setAdditionalSetup(runner -> {
                    runner.installPlugin(new FileSystemExchangePlugin());
                    runner.loadExchangeManager("filesystem", ImmutableMap.of("exchange.base-directories", exchangeFolder.resolve(policy.name()).toString()));
                })
                .build();
        trino.installPlugin(new MysqlPqPlugin());
        trino.createCatalog("mysql_pq", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true&tcpRcvBuf=" + SOCKET_BYTES,
                "connection-user", "root",
                "snapshot-mode", "EXACT",
                "aggregation-pushdown.enabled", "false",
                "target-rows-per-split", "3000"));
        return trino;
    }

    private void transfer(AtomicBoolean stopped)
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            while (!stopped.get()) {
                LockSupport.parkNanos(PAUSE_NANOS);
                int money = random.nextInt(100);
                statement.executeUpdate("UPDATE bank.accounts SET amount = amount - %s WHERE id = %s".formatted(money, random.nextInt(ACCOUNTS)));
                statement.executeUpdate("UPDATE bank.accounts SET amount = amount + %s WHERE id = %s".formatted(money, random.nextInt(ACCOUNTS)));
                connection.commit();
            }
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    // One read of each query, as soon as it is seen: its session, so that the snapshot has to be adopted anew.
    private void kill(AtomicBoolean stopped)
    {
        String last = "";
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            while (!stopped.get()) {
                LockSupport.parkNanos(PAUSE_NANOS);
                long session;
                String query;
                try (ResultSet rows = statement.executeQuery("SELECT id, SUBSTRING_INDEX(info, ' user=', 1) FROM information_schema.processlist WHERE (info LIKE '%SELECT%FROM `bank`.`accounts` FORCE INDEX%' OR info LIKE '%*/ SELECT mysql\\_pq\\_scan(%') AND id <> CONNECTION_ID() LIMIT 1")) {
                    if (!rows.next()) {
                        continue;
                    }
                    session = rows.getLong(1);
                    query = rows.getString(2);
                }
                if (!query.equals(last)) {
                    last = query;
                    killSession(statement, session);
                }
            }
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void killSession(Statement statement, long session)
            throws SQLException
    {
        try {
            statement.execute("KILL " + session);
        }
        catch (SQLException e) {
            // It may have ended meanwhile.
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw e;
            }
        }
    }
}
