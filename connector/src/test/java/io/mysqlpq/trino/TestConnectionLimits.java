package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.TestingConnections;
import io.mysqlpq.trino.driver.MetadataConnections;
import io.mysqlpq.trino.driver.ReusedConnections;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.credential.StaticCredentialProvider;
import io.trino.server.BasicQueryInfo;
import io.trino.spi.QueryId;
import io.trino.spi.connector.ConnectorSession;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static io.trino.testing.TransactionBuilder.transaction;
import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Runs joins whose sides compete for few connections, on two nodes. */
@TestInstance(PER_CLASS)
class TestConnectionLimits
{
    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY, filler VARCHAR(500) NOT NULL)",
                "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 30000) SELECT n, REPEAT('x', 500) FROM s",
                // Ranges larger than what lies between MySQL and Trino's operators, so that a slow query holds its readers.
                "CREATE TABLE test.few LIKE test.numbers",
                "INSERT INTO test.few SELECT * FROM test.numbers WHERE n <= 4000",
                "CREATE TABLE test.wide LIKE test.numbers",
                "INSERT INTO test.wide SELECT n * 4 + x, filler FROM test.numbers JOIN (VALUES ROW(0), ROW(1), ROW(2), ROW(3)) AS v (x)");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    /** The sides of a join do not block each other, even with the least that two workers need, and on nodes that read through one connection. */
    @ParameterizedTest
    @CsvSource({"1, 100", "16, 4", "16, 8"})
    @Timeout(180)
    void testJoinsFinish(int perNode, int perServer)
            throws Exception
    {
        try (TestingTrino trino = trino(perNode, perServer, 1000)) {
            assertThat(trino.execute("SELECT count(*), sum(length(a.filler)) FROM numbers a JOIN numbers b ON a.n = b.n JOIN numbers c ON b.n = c.n").getMaterializedRows().getFirst().getFields())
                    .containsExactly(30_000L, 15_000_000L);
            assertThat(trino.execute("SELECT count(*) FROM (SELECT n FROM numbers UNION SELECT n FROM numbers UNION ALL SELECT n FROM numbers)").getOnlyValue())
                    .isEqualTo(60_000L);
        }
    }

    /** MySQL itself refuses whatever is over the cap and the reserve for metadata. */
    @Test
    @Timeout(180)
    void testCapHoldsForManyQueries()
            throws Exception
    {
        int cap = 10;
        int reserve = 4;
        String join = "SELECT count(*), sum(length(a.filler)) FROM few a JOIN few b ON a.n = b.n";
        mysql.execute("CREATE USER capped IDENTIFIED BY 'capped' WITH MAX_USER_CONNECTIONS " + (cap + reserve), "GRANT ALL ON *.* TO capped");
        try (TestingTrino trino = trino("capped", Map.of("max-connections-per-server", String.valueOf(cap), "target-rows-per-split", "1000"))) {
            // The first of them ask for metadata, all at once. Later ones do where no connection that plans is free within a second.
            assertThat(mostSessions("capped", queries(trino, join, 10))).isGreaterThan(1);
            assertThat(mostSessions("capped", queries(trino, join, 50))).isBetween(cap - 2L, (long) cap);
            Await.until("nothing is held", () -> attribute("ConnectionPermits", "Running") == 0 && attribute("ConnectionPermits", "Waiting") == 0 && queue("SnapshotsHeld") == 0 && queue("PlanningHeld") == 0);
        }
    }

    private static List<CompletableFuture<?>> queries(TestingTrino trino, String join, int count)
    {
        return IntStream.range(0, count)
                .<CompletableFuture<?>>mapToObj(_ -> Background.run(() -> assertThat(trino.execute(join).getMaterializedRows().getFirst().getFields()).containsExactly(4000L, 2_000_000L)))
                .toList();
    }

    // As the server counts those of pools, whatever they do, and until it has ended them. Fails if a query fails.
    private long mostSessions(String user, List<CompletableFuture<?>> queries)
            throws SQLException
    {
        CompletableFuture<Void> all = CompletableFuture.allOf(queries.toArray(CompletableFuture[]::new));
        long most = 0;
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            while (!all.isDone()) {
                most = Math.max(most, pooledSessions(statement, user));
            }
        }
        all.join();
        return most;
    }

    // Those for metadata keep the server's own limit.
    private static long pooledSessions(Statement statement, String user)
            throws SQLException
    {
        return number(statement, """
                SELECT count(*) FROM performance_schema.variables_by_thread JOIN performance_schema.threads USING (thread_id)
                WHERE variable_name = 'net_write_timeout' AND variable_value <> @@GLOBAL.net_write_timeout AND processlist_user = '%s'""".formatted(user));
    }

    private static long sessions(Statement statement, String user)
            throws SQLException
    {
        return number(statement, "SELECT count(*) FROM performance_schema.threads WHERE processlist_user = '%s'".formatted(user));
    }

    private static long number(Statement statement, String sql)
            throws SQLException
    {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Whoever waits for a connection can be cancelled, or waits for a limited time, and leaves nothing behind. */
    @Test
    @Timeout(180)
    void testWaitingQueries()
            throws Exception
    {
        String waiting = "SELECT count(*) + 1 FROM few";
        List<CompletableFuture<MaterializedResult>> patient = new ArrayList<>();
        try (TestingTrino trino = trino("root", Map.of("max-connections-per-server", "4", "connection-queue-timeout", "2m"))) {
            QueryRunner runner = trino.runner();
            runner.createCatalog("impatient", "mysql_pq", properties("root", Map.of("max-connections-per-server", "4", "connection-queue-timeout", "3s")));
            transaction(runner.getTransactionManager(), runner.getPlannerContext().getMetadata(), runner.getAccessControl()).readOnly().execute(runner.getDefaultSession(), transaction -> {
                // Holds the only connection for a snapshot from then on, also between its queries.
                assertThat(trino.execute(transaction, "SELECT count(*) FROM few").getOnlyValue()).isEqualTo(4000L);
                assertThat(trino.execute(transaction, "SELECT count(*) FROM impatient.test.few").getOnlyValue()).isEqualTo(4000L);
                assertThatThrownBy(() -> trino.execute("SELECT count(*) FROM impatient.test.few")).hasMessageContaining("connection-queue-timeout");
                CompletableFuture<?> cancelled = Background.supply(() -> trino.execute(waiting));
                Await.until("it waits", () -> queue("SnapshotsWaiting") == 1);
                cancel(trino, waiting);
                Await.until("it waits no more", () -> queue("SnapshotsWaiting") == 0);
                assertThatThrownBy(cancelled::join).hasMessageContaining("canceled");
                assertThat(trino.execute(transaction, "SELECT count(*) FROM few a JOIN few b ON a.n = b.n").getOnlyValue()).isEqualTo(4000L);
                patient.add(Background.supply(() -> trino.execute("EXPLAIN ANALYZE VERBOSE " + waiting)));
                Await.until("it waits", () -> queue("SnapshotsWaiting") == 1);
            });
            assertThat(patient.getFirst().join().getOnlyValue().toString()).containsPattern("connectionQueueTime. = \\{duration=");
            Await.until("nothing is held", () -> queue("SnapshotsHeld") == 0 && queue("PlanningHeld") == 0);
        }
    }

    /** A table that somebody has locked keeps no other one from being planned, also where one connection plans. */
    @Test
    @Timeout(120)
    void testLockedTableLetsOthersBePlanned()
            throws Exception
    {
        mysql.execute("CREATE TABLE test.locked (n BIGINT PRIMARY KEY, v BIGINT NOT NULL, INDEX (v))", "INSERT INTO test.locked SELECT n, n FROM test.few");
        try (TestingTrino trino = trino("root", Map.of("max-connections-per-server", "4", "connection-queue-timeout", "20s", "table-lock-timeout", "1h"));
                Connection blocker = mysql.connect();
                Statement statement = blocker.createStatement()) {
            statement.execute("LOCK TABLES test.locked WRITE");
            CompletableFuture<MaterializedResult> waiting = Background.supply(() -> trino.execute("SELECT sum(n) FROM locked WHERE v >= 0"));
            Await.until("planning waits for the table", () -> !waitingForTables("EXPLAIN").isEmpty());
            assertThat(trino.execute("SELECT count(*) FROM numbers WHERE n > 1").getOnlyValue()).isEqualTo(29_999L);
            assertThat(waiting).isNotDone();
            Await.until("planning waits for the table again", () -> !waitingForTables("EXPLAIN").isEmpty());
            assertCancelledQueriesLeaveTheQueue(trino, "SELECT sum(n + 1) FROM locked WHERE v >= 0");
            statement.execute("UNLOCK TABLES");
            assertThat(waiting.join().getOnlyValue()).isEqualTo(8_002_000L);
            Await.until("nothing is held", () -> queue("SnapshotsHeld") == 0 && queue("PlanningHeld") == 0);
        }
    }

    // Each of them asks for the one connection again and again, as long as the table is locked and somebody wants it.
    private void assertCancelledQueriesLeaveTheQueue(TestingTrino trino, String sql)
    {
        List<CompletableFuture<?>> queries = IntStream.range(0, 4).<CompletableFuture<?>>mapToObj(_ -> Background.supply(() -> trino.execute(sql))).toList();
        // Trino cancels no query that it has not dispatched.
        Await.until("all of them wait", () -> running(trino, sql).size() == 4 && queue("PlanningWaiting") >= 4);
        cancel(trino, sql);
        queries.forEach(query -> assertThatThrownBy(query::join).hasMessageContaining("canceled"));
        Await.until("only the first query is left", () -> queue("PlanningWaiting") == 0);
    }

    private List<String> waitingForTables(String statement)
    {
        return mysql.values("SELECT id FROM performance_schema.processlist WHERE state = 'Waiting for table metadata lock' AND info LIKE '%%%s%%'".formatted(statement));
    }

    /** A snapshot's session counts until MySQL has ended it. Whoever would end it may have to wait for a login. */
    @Test
    @Timeout(120)
    void testSnapshotCountsUntilItsSessionHasEnded()
            throws Exception
    {
        String sql = "SELECT count(*) + 3 FROM few";
        mysql.execute("CREATE USER ending IDENTIFIED BY 'ending'", "GRANT ALL ON *.* TO ending");
        try (TestingTrino trino = trino("ending", Map.of("table-lock-timeout", "1h"));
                Connection blocker = mysql.connect();
                Statement statement = blocker.createStatement()) {
            trino.execute(sql);
            statement.execute("LOCK TABLES test.few WRITE");
            CompletableFuture<?> query = Background.supply(() -> trino.execute(sql));
            Await.until("the snapshot waits for the table", () -> queue("SnapshotsHeld") == 1 && waitingForTables("few").size() == 1);
            String donor = waitingForTables("few").getFirst();
            // No session is left to end another one by, and none can be opened.
            mysql.execute("ALTER USER ending ACCOUNT LOCK");
            mysql.values("SELECT id FROM performance_schema.processlist WHERE user = 'ending' AND id <> " + donor).forEach(mysql::endSession);
            cancel(trino, sql);
            assertThatThrownBy(query::join).hasMessageContaining("canceled");
            long start = System.nanoTime();
            while (System.nanoTime() - start < SECONDS.toNanos(1)) {
                assertThat(waitingForTables("few")).containsExactly(donor);
                assertThat(queue("SnapshotsHeld")).isEqualTo(1);
            }
            mysql.execute("ALTER USER ending ACCOUNT UNLOCK");
            Await.until("the session has ended, though its table is still locked", () -> queue("SnapshotsHeld") == 0 && waitingForTables("few").isEmpty());
            statement.execute("UNLOCK TABLES");
        }
    }

    private static void cancel(TestingTrino trino, String sql)
    {
        running(trino, sql).forEach(trino.runner().getCoordinator().getQueryManager()::cancelQuery);
    }

    private static List<QueryId> running(TestingTrino trino, String sql)
    {
        return trino.runner().getCoordinator().getQueryManager().getQueries().stream().filter(query -> query.getQuery().equals(sql) && !query.getState().isDone()).map(BasicQueryInfo::getQueryId).toList();
    }

    private static long queue(String attribute)
    {
        return attribute("NodeConnections", attribute);
    }

    // Nodes of one JVM have one name for their beans, so only the first one's are seen: the coordinator's.
    private static long attribute(String type, String attribute)
    {
        MBeanServer beans = getPlatformMBeanServer();
        try {
            long sum = 0;
            for (ObjectName name : beans.queryNames(new ObjectName("*:type=%s,name=mysql_pq,*".formatted(type)), null)) {
                sum += ((Number) beans.getAttribute(name, attribute)).longValue();
            }
            return sum;
        }
        catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An account may have fewer sessions than the cap allows. Those that nobody uses do not keep its own metadata out. */
    @Test
    @Timeout(120)
    void testIdleSessionsMakeRoomForMetadata()
            throws Exception
    {
        mysql.execute("CREATE USER few IDENTIFIED BY 'few'", "GRANT ALL ON *.* TO few", "SET GLOBAL max_user_connections = 100");
        // Those of readers do not end by themselves: without room, MySQL refuses DESCRIBE its connection for good.
        try (TestingTrino trino = trino("few", Map.of("target-rows-per-split", "1000", "connection-idle-timeout", "1h", "connection-max-lifetime", "2h")); Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            trino.execute("SELECT count(*) FROM few a JOIN few b ON a.n = b.n");
            Await.until("all of them are idle", () -> attribute("ConnectionPools", "Active") == 0);
            statement.execute("SET GLOBAL max_user_connections = " + sessions(statement, "few"));
            assertThat(trino.execute("DESCRIBE numbers").getRowCount()).isEqualTo(2);
        }
        finally {
            mysql.execute("SET GLOBAL max_user_connections = 0");
        }
    }

    /** MySQL may allow an account less than the cap. Then queries wait for one another. */
    @Test
    @Timeout(180)
    void testAccountWithFewerConnectionsThanTheCap()
            throws Exception
    {
        mysql.execute("CREATE USER tight IDENTIFIED BY 'tight' WITH MAX_USER_CONNECTIONS 6", "GRANT ALL ON *.* TO tight");
        try (TestingTrino trino = trino("tight", Map.of("target-rows-per-split", "1000"))) {
            // The first of them ask for metadata, all at once.
            queries(trino, "SELECT count(*), sum(length(a.filler)) FROM few a JOIN few b ON a.n = b.n", 6).forEach(CompletableFuture::join);
            Await.until("nothing is held", () -> attribute("ConnectionPermits", "Running") == 0 && queue("SnapshotsHeld") == 0 && queue("PlanningHeld") == 0);
        }
    }

    /** A query's next call of metadata finds the connection of the one before. One that is kept for that is closed when another query needs one. */
    @Test
    @Timeout(120)
    void testConnectionsKeptForMetadataMakeRoom()
            throws Exception
    {
        // As many as MySQL can allow, which is more than fits an int.
        mysql.execute("SET GLOBAL max_user_connections = 4294967295");
        io.airlift.units.Duration minute = new io.airlift.units.Duration(1, MINUTES);
        String url = mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
        ConnectionPools pools = TestingConnections.pools(url, TestingConnections.config(4, minute), new StaticCredentialProvider(Optional.of("root"), Optional.of("")));
        ConnectionFactory driver = _ -> DriverManager.getConnection(url, "root", "");
        try (ReusedConnections connections = new ReusedConnections(new MetadataConnections(driver, driver, pools), pools, true)) {
            List<ConnectorSession> queries = IntStream.range(0, 40).<ConnectorSession>mapToObj(_ -> TestingConnectorSession.builder().build()).toList();
            List<String> kept = queries.stream().limit(4).map(query -> sessionOf(connections, query)).toList();
            assertThat(sessionOf(connections, queries.get(3))).isEqualTo(kept.get(3));
            assertThat(kept).doesNotHaveDuplicates();
            long start = System.nanoTime();
            queries.stream().skip(4).forEach(query -> assertThat(kept).doesNotContain(sessionOf(connections, query)));
            // Where kept connections stay, four of these 36 begin every two seconds.
            assertThat(System.nanoTime() - start).isLessThan(SECONDS.toNanos(12));
            Await.until("few sessions are left", () -> mysql.values("SELECT id FROM information_schema.processlist WHERE command = 'Sleep' AND id IN (%s)".formatted(String.join(", ", kept))).isEmpty());
        }
        finally {
            mysql.execute("SET GLOBAL max_user_connections = 0");
            pools.close();
        }
    }

    private static String sessionOf(ReusedConnections connections, ConnectorSession query)
    {
        try (Connection connection = connections.openConnection(query); Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery("SELECT connection_id()")) {
            row.next();
            return row.getString(1);
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Timeout(180)
    void testLimitHoldsOverTheCluster()
            throws Exception
    {
        try (TestingTrino trino = trino(16, 100, 6000)) {
            assertThat(mostReaders(trino, Map.of())).isGreaterThan(4);
            // Each node has one.
            assertThat(mostReaders(trino, Map.of("max_connections_per_query", "2"))).isBetween(1L, 2L);
        }
        try (TestingTrino trino = trino(16, 4, 6000)) {
            assertThat(mostReaders(trino, Map.of())).isBetween(1L, 2L);
        }
        try (TestingTrino trino = trino(16, 3, 6000)) {
            assertThatThrownBy(() -> trino.execute("SELECT count(*) FROM wide")).hasMessageContaining("max-connections-per-server is 3, but 2 workers need at least 4 connections");
        }
    }

    // Sessions that were in the midst of a range at the same time, as the server counted them.
    private long mostReaders(TestingTrino trino, Map<String, String> properties)
            throws SQLException
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            CompletableFuture<?> query = Background.supply(() -> trino.execute(trino.session(properties), "SELECT count(*) FROM wide CROSS JOIN UNNEST(sequence(1, 30)) AS u (x) WHERE length(filler) * x >= 0"));
            long most = 0;
            while (!query.isDone()) {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM performance_schema.events_transactions_current WHERE state = 'ACTIVE' AND autocommit = 'NO'")) {
                    rows.next();
                    // One of them holds the snapshot.
                    most = Math.max(most, rows.getLong(1) - 1);
                }
            }
            query.join();
            return most;
        }
    }

    private TestingTrino trino(int perNode, int perServer, int rowsPerSplit)
            throws Exception
    {
        return trino("root", Map.of(
                "target-rows-per-split", String.valueOf(rowsPerSplit),
                "max-connections-per-node", String.valueOf(perNode),
                "max-connections-per-server", String.valueOf(perServer)));
    }

    private TestingTrino trino(String user, Map<String, String> properties)
            throws Exception
    {
        return new TestingTrino(properties(user, properties));
    }

    private Map<String, String> properties(String user, Map<String, String> properties)
    {
        return ImmutableMap.<String, String>builder()
                .put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                .put("connection-user", user)
                .put("connection-password", user.equals("root") ? "" : user)
                .put("range-source", "EXTENSION")
                .putAll(properties)
                .buildOrThrow();
    }
}
