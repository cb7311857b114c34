package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.execution.QueryManager;
import io.trino.server.BasicQueryInfo;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

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
        trino = new TestingTrino(mysql, ImmutableMap.of("table-lock-timeout", "1h", "planning-timeout", "1h"));
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
            Await.until("MySQL waits for the table in all of them", () -> waiting().size() == queries.size());
            cancelAll();
            assertThat(queries).allSatisfy(query -> assertThatThrownBy(query::join).hasMessageContaining("canceled"));
            assertNothingLeft();
        }
    }

    // Of the extension's calls when MySQL hung.
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

    private void assertNothingLeft()
    {
        Await.until("MySQL's statement has ended", () -> waiting().isEmpty());
        Await.until("no connection is in use", () -> connectionsInUse() == 0);
    }

    private CompletableFuture<MaterializedResult> begin(String sql)
    {
        return Background.supply(() -> trino.execute(sql));
    }

    private void cancelAll()
    {
        QueryManager queries = trino.runner().getCoordinator().getQueryManager();
        queries.getQueries().stream().filter(query -> !query.getState().isDone()).map(BasicQueryInfo::getQueryId).forEach(queries::cancelQuery);
    }

    private List<String> waiting()
    {
        return mysql.values("SELECT info FROM performance_schema.processlist WHERE state = 'Waiting for table metadata lock' AND info LIKE '/*mysql_pq %mysql_pq_ranges%'");
    }

    // Of all nodes.
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
