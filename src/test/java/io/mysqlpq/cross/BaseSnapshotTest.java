package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.metadata.InternalFunctionBundle;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static io.trino.SystemSessionProperties.MAX_DRIVERS_PER_TASK;
import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Reads two tables of MySQL through Trino, and makes sure that nothing is left of it afterwards.
 */
@TestInstance(PER_CLASS)
abstract class BaseSnapshotTest
{
    static final int ROWS = 20_000;
    static final String SUMS = "SELECT (SELECT sum(v) FROM mysql_pq.s.t), (SELECT sum(v) FROM mysql_pq.s.u)";

    @AutoClose
    final CrossCluster cluster = CrossCluster.parallel(
            MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").option("gtid-mode", "ON").option("enforce-gtid-consistency", "ON").start(),
            Map.of("extension-probe-ttl", "1ms", "table-lock-timeout", "2s", "snapshot-session-timeout", "10s"));

    @BeforeAll
    void installRegistryTable()
    {
        Leftovers.installRegistryTable(cluster.mysql());
        cluster.createCatalog("narrow", Map.of("max-connections-per-node", "1"));
        cluster.trino().addFunctions(InternalFunctionBundle.builder().scalars(HeldRows.class).build());
    }

    @BeforeEach
    void createTables()
    {
        cluster.mysql().execute(
                "SET GLOBAL mysql_pq_ddl_wait_limit = DEFAULT",
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, 1 FROM s".formatted(ROWS),
                "CREATE TABLE s.u LIKE s.t",
                "INSERT INTO s.u SELECT * FROM s.t");
    }

    @AfterEach
    void assertNothingIsLeft()
    {
        HeldRows.release();
        Leftovers.assertNone(cluster.mysql());
    }

    /** A query of ranges one after another, of which most are not yet open when this returns. It takes minutes, or fails. */
    final CompletableFuture<MaterializedResult> slowQuery(Map<String, String> session)
    {
        long before = adoptions();
        CompletableFuture<MaterializedResult> query = Background.supply(() -> cluster.trino().execute(
                narrow(session),
                "SELECT count(*) FROM narrow.s.t CROSS JOIN UNNEST(sequence(1, 3000)) AS u (x) CROSS JOIN UNNEST(sequence(1, 30)) AS w (y) WHERE k * x % 7 + y > 0"));
        Await.until("a range is read", () -> adoptions() > before);
        return query;
    }

    /**
     * A query that counts rows, the first of which Trino holds when this returns, until {@link HeldRows#release()}.
     *
     * <p>Each node reads one range at a time, and no further one while it holds a row.
     */
    final CompletableFuture<MaterializedResult> heldQuery(String from, Map<String, String> session)
    {
        HeldRows.hold();
        Session oneByOne = Session.builder(narrow(session)).setSystemProperty(MAX_DRIVERS_PER_TASK, "1").build();
        CompletableFuture<MaterializedResult> query = Background.supply(() -> cluster.trino().execute(oneByOne, "SELECT count(*) FROM %s WHERE held(k)".formatted(from)));
        Await.until("a row is held, or the query fails", () -> HeldRows.reached() || query.isDone());
        assertThat(query).isNotDone();
        return query;
    }

    private Session narrow(Map<String, String> properties)
    {
        Session.SessionBuilder session = Session.builder(cluster.trino().getDefaultSession());
        properties.forEach((name, value) -> session.setCatalogSessionProperty("narrow", name, value));
        return session.build();
    }

    final long adoptions()
    {
        return MysqlRows.read(cluster.mysql(), "SELECT count_star FROM performance_schema.events_statements_summary_by_digest WHERE digest_text LIKE '%mysql_pq_snapshot_adopt%'").stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    static long number(Connection connection, String sql)
    {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    final long splits(Map<String, String> session)
    {
        Map<String, String> readingRows = new HashMap<>(session);
        readingRows.put("aggregation_pushdown_enabled", "false");
        MaterializedResultWithPlan result = cluster.trino().executeWithPlan(cluster.session(readingRows), SUMS);
        assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, (long) ROWS);
        return cluster.scanCount(result.queryId(), "splitsRead");
    }

    // Counts of all catalogs.
    static long snapshotStat(String name)
    {
        MBeanServer beans = getPlatformMBeanServer();
        try {
            long sum = 0;
            for (ObjectName catalog : beans.queryNames(new ObjectName("*:type=SnapshotStats,*"), null)) {
                sum += ((Number) beans.getAttribute(catalog, name)).longValue();
            }
            return sum;
        }
        catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }
}
