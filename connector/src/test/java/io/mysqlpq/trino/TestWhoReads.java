package io.mysqlpq.trino;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.execution.QueryManager;
import io.trino.server.BasicQueryInfo;
import io.trino.spi.QueryId;
import io.trino.spi.security.Identity;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Looks at MySQL as its administrators do, to see who reads. */
@TestInstance(PER_CLASS)
class TestWhoReads
{
    private static final String NASTY_USER = "o'brien*/ SELECT SLEEP(9); -- \\?";
    private static final String NASTY_USER_IN_COMMENT = "user=o%27brien%2A/%20SELECT%20SLEEP%289%29%3B%20--%20%5C%3F ";

    // Metadata, plans, writes, SQL of the user.
    private static final List<String> STATEMENTS = List.of(
            "SHOW TABLES",
            "SHOW STATS FOR t",
            "SHOW CREATE TABLE t",
            "EXPLAIN SELECT count(*) FROM t",
            "CREATE TABLE written (k BIGINT)",
            "INSERT INTO written VALUES (1), (2)",
            "DELETE FROM written WHERE k = 1",
            "SELECT * FROM TABLE(system.query('SELECT k FROM test.written'))",
            "CALL system.execute('DROP TABLE test.written')");

    // What has no mark reads no table, and asks nothing of the extension but its version.
    private static final Pattern READS = Pattern.compile("(?is).*(FROM `?test`?\\.|INTO `?test`?\\.|mysql_pq_(ranges|scan|snapshot)).*");

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder()
                .extension(true)
                .option("performance-schema-consumer-events-statements-history-long", "ON")
                .option("slow-query-log", "ON")
                .option("slow-query-log-file", "slow.log")
                .option("long-query-time", "0")
                .start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.t (k INT PRIMARY KEY, v VARCHAR(100))",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, REPEAT('x', 50) FROM s",
                // Computed anew for each row that is read.
                "ALTER TABLE test.t ADD COLUMN slow BIGINT AS (CRC32(REPEAT(v, 20000)))",
                "ANALYZE TABLE test.t");
        trino = new TestingTrino(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "2000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testEachSplitIsNamed(boolean natively)
            throws IOException
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(session("alice@example.com", Map.of("native_scan_enabled", String.valueOf(natively))), "SELECT k, v FROM t");
        assertThat(result.result().getRowCount()).isEqualTo(20_000);
        long splits = trino.count(result.queryId(), SPLITS_READ);
        assertThat(splits).isGreaterThan(5);
        String what = natively ? "SELECT mysql_pq_scan(" : "FORCE INDEX";
        List<String> names = LongStream.rangeClosed(1, splits).mapToObj(i -> "/*mysql_pq %s user=alice@example.com split=%d/%d*/ ".formatted(result.queryId(), i, splits)).toList();
        Await.until("performance_schema has the statements of all splits", () -> history(result.queryId()).stream().filter(sql -> sql.contains(" split=") && sql.contains(what)).count() == splits);
        assertThat(history(result.queryId())).anySatisfy(sql -> assertThat(sql).contains("mysql_pq_ranges"));
        for (String name : names) {
            assertThat(history(result.queryId())).anySatisfy(sql -> assertThat(sql).startsWith(name).contains(what));
            assertThat(slowLog()).contains(name);
        }
        assertThat(history(result.queryId())).allSatisfy(sql -> assertThat(sql).startsWith("/*mysql_pq %s user=alice@example.com".formatted(result.queryId())));
    }

    @Test
    void testMergedAggregation()
    {
        Session session = session("alice", Map.of("native_scan_enabled", "false"));
        QueryId query = trino.executeWithPlan(session, "SELECT count(v), max(k) FROM t").queryId();
        // MySQL records a statement a little after it has sent the last row.
        Await.until("performance_schema has all statements", () -> {
            List<String> marks = partialMarks(query);
            return marks.size() > 5 && marks.stream().allMatch(mark -> mark.endsWith("/" + marks.size()));
        });
        assertThat(partialMarks(query)).doesNotHaveDuplicates();
    }

    private List<String> partialMarks(QueryId query)
    {
        return history(query).stream().filter(sql -> sql.contains(" split=") && sql.contains("_partial_")).map(sql -> sql.substring(0, sql.indexOf("*/"))).toList();
    }

    /** MySQL keeps no more than the beginning of such statements. */
    @Test
    void testLongStatement()
    {
        String numbers = LongStream.range(0, 900).mapToObj(i -> String.valueOf(i * 7 + 1)).collect(joining(", "));
        QueryId query = trino.executeWithPlan(session("alice", Map.of("native_scan_enabled", "false")), "SELECT v FROM t WHERE k IN (%s)".formatted(numbers)).queryId();
        Await.until("performance_schema has the statement", () -> history(query).stream().anyMatch(sql -> sql.contains(" split=") && sql.contains("`v`") && sql.length() >= 1000));
    }

    @Test
    void testUserWhoseNameIsSql()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(session(NASTY_USER, Map.of()), "SELECT count(*) FROM t WHERE v LIKE '_%'");
        assertThat(result.result().getOnlyValue()).isEqualTo(20_000L);
        Await.until("performance_schema has the statement", () -> history(result.queryId()).stream().anyMatch(sql -> sql.contains(NASTY_USER_IN_COMMENT + "split=1/")));
    }

    @Test
    void testStatementsWithoutMark()
            throws Exception
    {
        mysql.execute("CREATE USER reader", "GRANT ALL ON *.* TO reader", "SET GLOBAL log_output = 'FILE,TABLE'", "SET GLOBAL general_log = ON");
        try (TestingTrino readers = new TestingTrino(mysql, "reader", ImmutableMap.of("target-rows-per-split", "2000"))) {
            for (Map<String, String> properties : List.of(
                    Map.<String, String>of(),
                    Map.of("native_scan_enabled", "false"),
                    Map.of("native_scan_enabled", "false", "aggregation_pushdown_enabled", "false", "packet_decoding_enabled", "false"),
                    Map.of("range_source", "SQL", "snapshot_mode", "NONE"),
                    Map.of("range_source", "NONE"))) {
                assertThat(readers.execute(readers.session(properties), "SELECT count(v) FROM t WHERE k > 0").getOnlyValue()).isEqualTo(20_000L);
            }
            STATEMENTS.forEach(readers::execute);
        }
        finally {
            mysql.execute("SET GLOBAL general_log = OFF");
        }
        List<String> statements = statementsOf("reader");
        assertThat(statements).anySatisfy(sql -> assertThat(sql).startsWith("/*mysql_pq "));
        assertThat(statements).filteredOn(sql -> !sql.startsWith("/*mysql_pq ")).isNotEmpty().noneMatch(sql -> READS.matcher(sql).matches());
    }

    private List<String> statementsOf(String account)
    {
        return mysql.values("SELECT DISTINCT CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE user_host LIKE '%s[%%' AND command_type IN ('Query', 'Execute')".formatted(account));
    }

    @Test
    void testProcessList()
    {
        CompletableFuture<Object> query = Background.supply(() -> trino.execute(session("alice", Map.of()), "SELECT sum(slow + k) FROM t WHERE slow >= 0"));
        Await.until("the process list shows a split", () -> {
            assertThat(query).isNotDone();
            return !processes().isEmpty();
        });
        QueryId id = cancel();
        assertThatThrownBy(query::join).hasMessageContaining("canceled");
        assertThat(processes).allSatisfy(info -> assertThat(info).startsWith("/*mysql_pq %s user=alice split=".formatted(id)).contains("*/ SELECT"));
    }

    // Which SHOW PROCESSLIST cuts off after 100 characters.
    private List<String> processes = List.of();

    private List<String> processes()
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
            processes = new ArrayList<>();
            while (rows.next()) {
                String info = Strings.nullToEmpty(rows.getString("Info"));
                if (info.contains(" split=") && info.contains("SELECT")) {
                    processes.add(info);
                }
            }
            return processes;
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private QueryId cancel()
    {
        QueryManager queries = trino.runner().getCoordinator().getQueryManager();
        QueryId id = queries.getQueries().stream().filter(query -> !query.getState().isDone()).map(BasicQueryInfo::getQueryId).findFirst().orElseThrow();
        queries.cancelQuery(id);
        return id;
    }

    private Session session(String user, Map<String, String> properties)
    {
        return Session.builder(trino.session(properties)).setIdentity(Identity.ofUser(user)).build();
    }

    // Before the connector ends a session, it looks for it by the query's id. On a busy machine it ends some.
    private List<String> history(QueryId query)
    {
        return mysql.values("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '%%%s%%' AND sql_text NOT LIKE '%%history_long%%' AND sql_text NOT LIKE '%%information_schema.processlist%%'".formatted(query));
    }

    private String slowLog()
            throws IOException
    {
        return Files.readString(mysql.dataDirectory().resolve("slow.log"));
    }
}
