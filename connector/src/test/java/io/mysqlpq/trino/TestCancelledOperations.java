package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.dispatcher.DispatchManager;
import io.trino.execution.QueryState;
import io.trino.server.BasicQueryInfo;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Cancels queries of table functions while MySQL hangs in their statements. */
@TestInstance(PER_CLASS)
class TestCancelledOperations
{
    private static final String RANGES = "SELECT * FROM TABLE(mysql_pq.system.ranges(schema_name => 'test', table_name => '%s'))";

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "SET GLOBAL mysql_pq_lock_wait_timeout = 3600",
                "CREATE DATABASE test",
                "CREATE TABLE test.whole (k INT PRIMARY KEY)",
                "CREATE TABLE test.parts (k INT PRIMARY KEY) PARTITION BY HASH (k) PARTITIONS 20");
        // No limit ends what a test waits for.
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("table-lock-timeout", "1h", "planning-timeout", "1h"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testRanges()
            throws SQLException
    {
        cancelWhileLocked("whole", RANGES.formatted("whole"));
        assertThat(trino.execute(RANGES.formatted("whole")).getRowCount()).isEqualTo(1);
    }

    // What the extension counts is one call for each partition.
    @Test
    void testRangesOfPartitions()
            throws SQLException
    {
        long calls = cancelWhileLocked("parts", RANGES.formatted("parts"));
        assertThat(mysql.status("mysql_pq_calls")).isEqualTo(calls);
        assertThat(trino.execute(RANGES.formatted("parts")).getRowCount()).isEqualTo(20);
        assertThat(mysql.status("mysql_pq_calls")).isGreaterThanOrEqualTo(calls + 20);
    }

    @Test
    void testRangesOfSeveralQueries()
            throws SQLException
    {
        try (Connection blocker = mysql.connect(); Statement statement = blocker.createStatement()) {
            statement.execute("LOCK TABLES test.whole WRITE");
            List<CompletableFuture<MaterializedResult>> queries = List.of(begin(RANGES.formatted("whole")), begin(RANGES.formatted("whole")), begin(RANGES.formatted("whole")));
            // A worker has one connection for functions, for which the others wait.
            Await.until("MySQL waits for the table, and all queries run", () -> !waiting().isEmpty() && running() == queries.size());
            cancelAll();
            assertThat(queries).allSatisfy(query -> assertThatThrownBy(query::join).hasMessageContaining("canceled"));
            assertNothingLeft();
        }
    }

    // Returns how many calls of the extension ran when MySQL hung.
    private long cancelWhileLocked(String table, String sql)
            throws SQLException
    {
        try (Connection blocker = mysql.connect(); Statement statement = blocker.createStatement()) {
            statement.execute("LOCK TABLES test.%s WRITE".formatted(table));
            CompletableFuture<MaterializedResult> query = begin(sql);
            Await.until("MySQL waits for the table", () -> {
                assertThat(query).isNotDone();
                return !waiting().isEmpty();
            });
            long calls = mysql.status("mysql_pq_calls");
            cancelAll();
            assertThatThrownBy(query::join).hasMessageContaining("canceled");
            // While the table is locked still.
            assertNothingLeft();
            return calls;
        }
    }

    // MySQL prepares a query before Trino has planned anything, and waits for a table that DDL waits for.
    @Test
    void testQueryThatIsAnalysed()
            throws SQLException
    {
        mysql.execute("CREATE TABLE test.altered (k INT PRIMARY KEY)");
        String sql = "SELECT * FROM TABLE(mysql_pq.system.query(query => 'SELECT k FROM test.altered'))";
        try (Connection reader = mysql.connect(); Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT * FROM test.altered");
            CompletableFuture<Void> alter = Background.run(() -> mysql.execute("ALTER TABLE test.altered ADD COLUMN v INT"));
            Await.until("the DDL waits for the reader", () -> waitingForLocks().size() == 1);
            CompletableFuture<MaterializedResult> query = begin(sql);
            Await.until("MySQL waits for the DDL", () -> waitingForLocks().size() == 2);
            cancelAll();
            assertThatThrownBy(query::join).hasMessageContaining("canceled");
            Await.until("MySQL's statement has ended", () -> waitingForLocks().size() == 1);
            reader.commit();
            alter.join();
        }
        assertThat(trino.execute(sql).getRowCount()).isZero();
    }

    private List<String> waitingForLocks()
    {
        return mysql.values("SELECT id FROM performance_schema.processlist WHERE state = 'Waiting for table metadata lock'");
    }

    @Test
    void testQueryThatRuns()
    {
        CompletableFuture<MaterializedResult> query = begin("SELECT * FROM TABLE(mysql_pq.system.query(query => 'SELECT SLEEP(1000) AS s'))");
        Await.until("MySQL runs the query", () -> !statements("%SLEEP(1000)%").isEmpty());
        cancelAll();
        assertThatThrownBy(query::join).hasMessageContaining("canceled");
        Await.until("MySQL's statement has ended", () -> statements("%SLEEP(1000)%").isEmpty());
    }

    @Test
    void testQueryThatSendsRows()
    {
        mysql.execute("CREATE TABLE test.bytes (b VARBINARY(1000))", "INSERT INTO test.bytes SELECT REPEAT('x', 1000) FROM information_schema.columns LIMIT 1000");
        CompletableFuture<MaterializedResult> query = begin("SELECT max(b), max(a) FROM TABLE(mysql_pq.system.query(query => 'SELECT x.b AS a, y.b FROM test.bytes x, test.bytes y, test.bytes z'))");
        Await.until("MySQL sends rows", () -> !statements("%test.bytes%").isEmpty());
        cancelAll();
        assertThatThrownBy(query::join).hasMessageContaining("canceled");
        Await.until("MySQL's statement has ended", () -> statements("%test.bytes%").isEmpty());
    }

    // It sleeps a second each time that it runs.
    @Test
    void testQueryRunsOnce()
    {
        mysql.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'");
        assertThat(((Number) trino.execute("SELECT * FROM TABLE(mysql_pq.system.query(query => 'SELECT SLEEP(1) AS once'))").getOnlyValue()).longValue()).isZero();
        mysql.awaitStatementsRecorded();
        assertThat(mysql.values("SELECT event_id FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '%SLEEP(1) AS once%' AND timer_wait > 900000000000")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT 7 AS x;",
            "SELECT 7 AS x ; \n",
            "SELECT 7 AS x -- seven",
            "SELECT 7 AS x --\n;",
            "SELECT 7 AS x # seven; )",
            "SELECT 7 AS x; /* seven; ' */ -- ' \n # `",
            "/* first */ SELECT /*+ NO_MERGE() */ 7 AS x # '\n WHERE 1 -- \"\n = 1;",
            "-- first\nSELECT LENGTH(') -- /*;#') - 2 AS x",
            "SELECT 7 AS x /*! WHERE 1 = 1 */",
            "SELECT 7 AS x WHERE '\\'' <> '\\\\'; -- '",
            "SELECT 7 AS x WHERE 'a' <> \"\"\"\" # \"",
            "WITH w AS (SELECT 7 AS x) SELECT * FROM w;",
            "TABLE test.seven;"})
    void testEndOfAQuery(String sql)
    {
        mysql.execute("CREATE TABLE IF NOT EXISTS test.seven (x INT PRIMARY KEY)", "REPLACE INTO test.seven VALUES (7)");
        String quoted = sql.replace("'", "''");
        assertThat(trino.execute("SELECT CAST(x AS BIGINT) + 1 FROM TABLE(mysql_pq.system.query(query => '%s'))".formatted(quoted)).getOnlyValue()).as(sql).isEqualTo(8L);
        if (sql.startsWith("SELECT 7 AS x") && !sql.contains("WHERE")) {
            trino.execute("CALL system.execute(query => '%s')".formatted(quoted.replace("SELECT 7 AS x", "DO 7")));
        }
    }

    @Test
    void testQueriesThatAreRefused()
    {
        assertThatThrownBy(() -> trino.execute("SELECT * FROM TABLE(mysql_pq.system.query(query => 'SELECT 1 AS x; SELECT 2 AS x'))")).hasMessageContaining("error in your SQL syntax").hasMessageContaining("near 'SELECT 2");
        assertThatThrownBy(() -> trino.execute("SELECT * FROM TABLE(mysql_pq.system.query(query => 'DO 1'))")).hasMessageContaining("Query not supported: ResultSetMetaData not available for query: DO 1");
        assertThatThrownBy(() -> trino.execute("SELECT * FROM TABLE(mysql_pq.system.query(query => '-- nothing'))")).hasMessageContaining("QUERY is empty. Write a MySQL statement that returns rows");
    }

    private List<String> statements(String pattern)
    {
        return mysql.values("SELECT info FROM performance_schema.processlist WHERE info LIKE '/*mysql_pq %s'".formatted(pattern));
    }

    private void assertNothingLeft()
    {
        Await.until("MySQL's statement has ended", () -> waiting().isEmpty());
        Await.until("no connection is in use", () -> connectionsInUse() == 0);
    }

    private CompletableFuture<MaterializedResult> begin(String sql)
    {
        return Background.supply(() -> trino.execute(sql));
    }

    // Those that are only being dispatched cannot be cancelled yet.
    private long running()
    {
        return trino.runner().getCoordinator().getDispatchManager().getQueries().stream().filter(query -> query.getState() == QueryState.RUNNING).count();
    }

    private void cancelAll()
    {
        DispatchManager queries = trino.runner().getCoordinator().getDispatchManager();
        queries.getQueries().stream().filter(query -> !query.getState().isDone()).map(BasicQueryInfo::getQueryId).forEach(queries::cancelQuery);
    }

    private List<String> waiting()
    {
        return mysql.values("SELECT info FROM performance_schema.processlist WHERE state = 'Waiting for table metadata lock' AND info LIKE '/*mysql_pq %mysql_pq_ranges%'");
    }

    // Counts the connections of all nodes.
    private static int connectionsInUse()
    {
        MBeanServer beans = getPlatformMBeanServer();
        try {
            int active = 0;
            for (ObjectName name : beans.queryNames(new ObjectName("*:type=ConnectionPools,name=mysql_pq,*"), null)) {
                active += (int) beans.getAttribute(name, "Active");
            }
            return active;
        }
        catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }
}
