package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.execution.QueryManager;
import io.trino.server.BasicQueryInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.util.concurrent.CompletableFuture;

import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Runs queries whose own readers are what a throttle holds them back for, and queries of a replica that does not replicate. */
@TestInstance(PER_CLASS)
class TestThrottledQueries
{
    private static final String JOIN = """
            SELECT count(*), sum(length(a.filler)) FROM numbers a
            JOIN numbers b ON a.n = b.n
            JOIN (SELECT n, count(*) AS c FROM numbers GROUP BY n) c ON b.n = c.n""";

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("server-id", "7").start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY, filler VARCHAR(500) NOT NULL)",
                "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, REPEAT('x', 500) FROM s",
                "ANALYZE TABLE test.numbers",
                "CREATE USER reader IDENTIFIED BY ''",
                "GRANT SELECT, SHOW VIEW ON test.* TO reader");
        trino = new TestingTrino(mysql, ImmutableMap.of(
                "range-source", "EXTENSION",
                "target-rows-per-split", "1000",
                // The threads of an idle server, and one more, which each range is.
                "throttle-threads-running", String.valueOf(mysql.status("Threads_running") + 1),
                "throttle-poll-interval", "10ms",
                "throttle-wait-timeout", "2m"));
        trino.runner().createCatalog("unprivileged", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "reader"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    @Timeout(120)
    void testJoinsFinish()
    {
        long before = admission("HeldBack");
        for (String natively : new String[] {"true", "false"}) {
            Session session = trino.session(ImmutableMap.of("native_scan_enabled", natively, "aggregation_parallelism", "8"));
            assertThat(trino.execute(session, JOIN).getMaterializedRows().getFirst().getFields()).containsExactly(20_000L, 10_000_000L);
        }
        // Otherwise the joins would have finished without a throttle too.
        assertThat(admission("HeldBack")).isGreaterThan(before);
    }

    @Test
    void testWaitOfACancelledQueryEnds()
    {
        mysql.execute("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1, SOURCE_USER = 'nobody'");
        try {
            Session patient = trino.session(ImmutableMap.of("max_replica_lag", "10s", "replica_lag_handling", "WAIT"));
            for (String sql : new String[] {"SELECT * FROM TABLE(system.query('SELECT 1 AS one'))", "SELECT filler FROM numbers WHERE n = 7"}) {
                CompletableFuture<Object> query = Background.supply(() -> trino.execute(patient, sql));
                Await.until("the query waits", () -> admission("Waiting") == 1);
                QueryManager queries = trino.runner().getCoordinator().getQueryManager();
                queries.getQueries().stream().filter(running -> !running.getState().isDone()).map(BasicQueryInfo::getQueryId).forEach(queries::cancelQuery);
                assertThatThrownBy(query::join).as(sql).hasMessageContaining("canceled");
                Await.until("nothing waits for " + sql, () -> admission("Waiting") == 0);
            }
        }
        finally {
            mysql.execute("RESET REPLICA ALL");
        }
    }

    // Adds up all nodes.
    private static long admission(String attribute)
    {
        MBeanServer beans = getPlatformMBeanServer();
        try {
            long sum = 0;
            for (ObjectName name : beans.queryNames(new ObjectName("*:type=ServerAdmission,name=mysql_pq,*"), null)) {
                sum += ((Number) beans.getAttribute(name, attribute)).longValue();
            }
            return sum;
        }
        catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void testReplicaThatDoesNotReplicate()
    {
        mysql.execute("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1, SOURCE_USER = 'nobody'");
        try {
            Session fresh = trino.session(ImmutableMap.of("max_replica_lag", "10s"));
            for (String sql : new String[] {"SELECT count(*) FROM numbers WHERE length(filler) > 3", "SELECT filler FROM numbers WHERE n = 7", "SELECT * FROM TABLE(system.query('SELECT 1 AS one'))"}) {
                assertThatThrownBy(() -> trino.execute(fresh, sql)).as(sql).hasMessageContaining("not replicating").hasMessageContaining("max_replica_lag");
            }
            assertThat(trino.execute("SELECT count(*) FROM numbers WHERE length(filler) > 3").getOnlyValue()).isEqualTo(20_000L);
        }
        finally {
            mysql.execute("RESET REPLICA ALL");
        }
        assertThat(trino.execute(trino.session(ImmutableMap.of("max_replica_lag", "10s")), "SELECT count(*) FROM numbers WHERE length(filler) > 3").getOnlyValue()).isEqualTo(20_000L);
    }

    @Test
    void testMissingPrivilege()
    {
        Session session = Session.builder(trino.session(ImmutableMap.of())).setCatalogSessionProperty("unprivileged", "max_replica_lag", "10s").build();
        assertThatThrownBy(() -> trino.execute(session, "SELECT count(*) FROM unprivileged.test.numbers"))
                .hasMessageContaining("GRANT SELECT ON performance_schema.*")
                .hasMessageContaining("reader");
        assertThat(trino.execute("SELECT count(*) FROM unprivileged.test.numbers").getOnlyValue()).isEqualTo(20_000L);
    }
}
