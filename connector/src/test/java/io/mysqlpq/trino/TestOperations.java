package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.execution.QueryManager;
import io.trino.server.BasicQueryInfo;
import io.trino.spi.QueryId;
import io.trino.spi.security.Identity;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import static com.google.common.collect.Iterables.getOnlyElement;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Watches and examines a server through Trino, and makes the catalog forget. */
@TestInstance(PER_CLASS)
class TestOperations
{
    private static final String RUNNING = "SELECT * FROM TABLE(mysql_pq.system.running_scans())";
    private static final String SCAN = "SELECT k, v FROM t WHERE v > 0";
    private static final Map<String, String> BY_SQL = ImmutableMap.of("range_source", "SQL", "snapshot_mode", "NONE", "target_rows_per_split", "500");

    private final AtomicBoolean stopped = new AtomicBoolean();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "INSTALL PLUGIN mysql_pq_snapshots SONAME 'mysql_pq.so'",
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n FROM s",
                "ALTER TABLE test.t ADD COLUMN slow BIGINT AS (CRC32(REPEAT(v, 20000)))",
                "ANALYZE TABLE test.t",
                "CREATE USER stranger",
                "GRANT SELECT ON test.* TO stranger");
        trino = new TestingTrino(mysql, "root", ImmutableMap.of(
                "user-credential-name", "mysql_user",
                "extension-probe-ttl", "1h",
                "remembered-keys-ttl", "1h",
                "sql-ranges-ttl", "1h",
                "target-rows-per-split", "2000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testRunningScans()
    {
        CompletableFuture<Object> query = Background.supply(() -> trino.execute(session("root", "alice smith"), "SELECT sum(slow + k) FROM t WHERE slow >= 0"));
        AtomicReference<List<MaterializedRow>> seen = new AtomicReference<>();
        Await.until("splits run, and a snapshot is open", () -> {
            assertThat(query).isNotDone();
            seen.set(scans("root"));
            return seen.get().stream().map(scan -> scan.getField(2)).collect(toSet()).containsAll(List.of("sql scan", "snapshot"));
        });
        List<MaterializedRow> scans = seen.get();
        QueryId id = runningQuery("FROM t WHERE slow");
        assertThat(scans).filteredOn(scan -> "sql scan".equals(scan.getField(2))).isNotEmpty().allSatisfy(scan -> {
            assertThat(scan.getField(0)).isEqualTo(id.toString());
            assertThat(scan.getField(1)).isEqualTo("alice smith");
            assertThat(scan.getField(3)).asString().matches("\\d+/\\d+");
            assertThat(scan.getField(4)).isEqualTo("test");
            assertThat(scan.getField(5)).isEqualTo("t");
            assertThat(scan.getField(6)).isEqualTo("root");
            assertThat((long) scan.getField(8)).isBetween(0L, 60L);
        });
        MaterializedRow snapshot = getOnlyElement(scans.stream().filter(scan -> "snapshot".equals(scan.getField(2))).toList());
        assertThat(mysql.values("SELECT id FROM information_schema.processlist")).contains(snapshot.getField(7).toString());
        assertThat(snapshot.getField(9)).asString().matches("open, \\d+ readers");
        assertThat(scans("stranger")).isEmpty();
        trino.runner().getCoordinator().getQueryManager().cancelQuery(id);
        assertThatThrownBy(query::join).hasMessageContaining("canceled");
        Await.until("nothing runs", () -> scans("root").isEmpty());
    }

    @Test
    void testStatementThatWaits()
            throws SQLException
    {
        try (Connection blocker = mysql.connect(); Statement statement = blocker.createStatement()) {
            statement.execute("LOCK TABLES test.t WRITE");
            CompletableFuture<MaterializedResult> query = Background.supply(() -> trino.execute(session("root", "alice"), SCAN));
            Await.until("MySQL shows what the query waits for", () -> {
                assertThat(query).isNotDone();
                return scans("root").stream().anyMatch(scan -> "alice".equals(scan.getField(1)) && "Waiting for table metadata lock".equals(scan.getField(9)));
            });
            statement.execute("UNLOCK TABLES");
            assertThat(query.join().getRowCount()).isEqualTo(20_000);
        }
    }

    @Test
    void testNativeScan()
    {
        CompletableFuture<Object> query = Background.supply(() -> {
            while (!Thread.currentThread().isInterrupted() && !stopped.get()) {
                trino.execute(session("root", "native"), SCAN);
            }
            return true;
        });
        AtomicReference<MaterializedRow> seen = new AtomicReference<>();
        Await.until("a native scan is seen", () -> {
            assertThat(query).isNotDone();
            scans("root").stream().filter(scan -> "native scan".equals(scan.getField(2))).findFirst().ifPresent(seen::set);
            return seen.get() != null;
        });
        stopped.set(true);
        query.join();
        assertThat(seen.get().getField(1)).isEqualTo("native");
        assertThat(seen.get().getField(4)).isEqualTo("test");
        assertThat(seen.get().getField(5)).isEqualTo("t");
    }

    @Test
    void testDoctor()
    {
        List<MaterializedRow> findings = trino.execute("SELECT check_name, status, found, advice FROM TABLE(mysql_pq.system.doctor())").getMaterializedRows();
        assertThat(findings).filteredOn(finding -> finding.getField(1).equals("problem")).isEmpty();
        assertThat(findings).filteredOn(finding -> finding.getField(0).equals("snapshot")).hasSize(1).allSatisfy(finding -> {
            assertThat(finding.getField(1)).isEqualTo("ok");
            assertThat(finding.getField(2)).asString().startsWith("EXACT");
            assertThat(finding.getField(3)).isNull();
        });
        assertThat(trino.execute(session("stranger", "bob"), "SELECT found FROM TABLE(mysql_pq.system.doctor()) WHERE check_name = 'account'").getOnlyValue()).isEqualTo("'stranger'@'%'");
        // Nothing of it is left in the session, which is pooled.
        assertThat(trino.execute(SCAN).getRowCount()).isEqualTo(20_000);
    }

    @Test
    void testFlushedHandshake()
    {
        trino.execute("CALL mysql_pq.system.flush_planning_cache()");
        uninstall();
        try {
            assertThat(explain()).contains("one split");
        }
        finally {
            mysql.execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        }
        assertThat(explain()).contains("one split");
        trino.execute("CALL mysql_pq.system.flush_planning_cache()");
        assertThat(explain()).contains("ranges of index PRIMARY from EXTENSION");
    }

    // MySQL refuses while a snapshot lives, which Trino ends a little after its query.
    private void uninstall()
    {
        Await.until("the extension is not in use", () -> {
            try {
                mysql.execute("UNINSTALL PLUGIN mysql_pq");
                return true;
            }
            catch (IllegalStateException e) {
                assertThat(mysql.values("SELECT plugin_name FROM information_schema.plugins")).contains("mysql_pq");
                return false;
            }
        });
    }

    private String explain()
    {
        return trino.execute("EXPLAIN " + SCAN).getOnlyValue().toString();
    }

    @Test
    void testFlushedRanges()
    {
        long found = statementsOfScanBySql();
        long kept = statementsOfScanBySql();
        assertThat(kept).isLessThan(found);
        trino.execute("CALL mysql_pq.system.flush_planning_cache()");
        assertThat(statementsOfScanBySql()).isGreaterThan(kept);
    }

    private long statementsOfScanBySql()
    {
        long before = selects();
        assertThat(trino.execute(trino.session(BY_SQL), SCAN).getRowCount()).isEqualTo(20_000);
        return selects() - before;
    }

    private long selects()
    {
        return Long.parseLong(getOnlyElement(mysql.values("SELECT count_star FROM performance_schema.events_statements_summary_global_by_event_name WHERE event_name = 'statement/sql/select'")));
    }

    // The page names all attributes of this connector's beans, and no others.
    private List<MaterializedRow> scans(String mysqlUser)
    {
        return trino.execute(session(mysqlUser, "watcher"), RUNNING).getMaterializedRows();
    }

    private QueryId runningQuery(String text)
    {
        QueryManager queries = trino.runner().getCoordinator().getQueryManager();
        return queries.getQueries().stream().filter(query -> !query.getState().isDone() && query.getQuery().contains(text)).map(BasicQueryInfo::getQueryId).findFirst().orElseThrow();
    }

    private Session session(String mysqlUser, String user)
    {
        return Session.builder(trino.runner().getDefaultSession())
                .setIdentity(Identity.forUser(user).withExtraCredentials(ImmutableMap.of("mysql_user", mysqlUser)).build())
                .build();
    }
}
