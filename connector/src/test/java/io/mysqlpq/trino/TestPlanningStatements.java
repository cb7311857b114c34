package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.connection.MarkedStatement;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Counts what MySQL is asked while queries are planned. */
@TestInstance(PER_CLASS)
class TestPlanningStatements
{
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'",
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.a (k BIGINT PRIMARY KEY, g INT, b_k BIGINT, v INT, KEY (g), KEY (v))",
                "INSERT INTO test.a WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n % 7, n % 1000, n FROM s",
                "CREATE TABLE test.b (k BIGINT PRIMARY KEY, c_k BIGINT, v INT, KEY (v))",
                "INSERT INTO test.b SELECT k, k % 100, v FROM test.a",
                "CREATE TABLE test.c (k BIGINT PRIMARY KEY, d_k BIGINT, v INT, KEY (v))",
                "INSERT INTO test.c SELECT k, k % 10, v FROM test.a",
                "CREATE TABLE test.d (k BIGINT PRIMARY KEY, v INT, KEY (v))",
                "INSERT INTO test.d SELECT k, v FROM test.a",
                "ANALYZE TABLE test.a, test.b, test.c, test.d");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "1000", "connection-idle-timeout", "1h", "connection-max-lifetime", "2h"));
        trino.addMemory();
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    /** However often Trino pushes something down, prints a plan or asks for splits. */
    @Test
    void testEachExplainIsAskedOnce()
    {
        assertThat(explainsOf("SELECT g, sum(v) FROM a WHERE v < 15000 GROUP BY g")).hasSize(1);
        assertThat(explainsOf("SELECT g, count(*) FROM a WHERE v BETWEEN 100 AND 5000 GROUP BY g")).hasSize(1);
        assertThat(explainsOf("SELECT g, sum(v) FROM a WHERE v < 15000 AND b_k > 5 GROUP BY g")).hasSize(1);
        assertThat(explainsOf("SELECT * FROM a WHERE v > 100")).hasSize(1);
        assertThat(explainsOf("SELECT v FROM a WHERE k = 7")).isEmpty();
        // MySQL is asked about its own statement too, as it may find each value by a look-up.
        assertThat(explainsOf("SELECT g, max(v) FROM a GROUP BY g")).hasSizeLessThanOrEqualTo(2);
        assertThat(explainsOf("SELECT DISTINCT g FROM a WHERE v > 100")).hasSizeLessThanOrEqualTo(2);
        assertThat(explainsOf("SELECT count(*) FROM a, b, c, d WHERE a.b_k = b.k AND b.c_k = c.k AND c.d_k = d.k AND a.v < 15000 AND d.v > 5")).hasSizeLessThanOrEqualTo(4);
    }

    private List<String> explainsOf(String query)
    {
        trino.execute(query);
        forgetStatements();
        trino.execute(query);
        List<String> explains = statements("%EXPLAIN%");
        assertThat(explains).as(query).doesNotHaveDuplicates();
        return explains;
    }

    /** Reads the plan and what came of it from one answer. */
    @Test
    void testWhatIsPrintedIsWhatRuns()
    {
        for (String query : List.of(
                "SELECT * FROM a",
                "SELECT * FROM a WHERE v < 300",
                "SELECT * FROM a WHERE v > 100",
                "SELECT v FROM a WHERE k = 7",
                "SELECT * FROM a TABLESAMPLE SYSTEM (50)",
                "SELECT * FROM a TABLESAMPLE SYSTEM (50) WHERE v < 900",
                "SELECT g, sum(v) FROM a WHERE v < 15000 GROUP BY g",
                "SELECT g, sum(v) FROM a GROUP BY g HAVING sum(v) > 5",
                "SELECT g, sum(v) FROM a GROUP BY g ORDER BY 2 LIMIT 3",
                "SELECT k, sum(v) FROM a GROUP BY k",
                "SELECT k, count(v) FROM a GROUP BY k ORDER BY 2 LIMIT 3",
                "SELECT DISTINCT g FROM a WHERE v > 100",
                "SELECT max(v) FROM a",
                "SELECT * FROM a LIMIT 5")) {
            String result = trino.execute("EXPLAIN ANALYZE VERBOSE " + query).getOnlyValue().toString();
            Matcher ranges = Pattern.compile("read=\\[[^\\]]*ranges of index (\\w+)").matcher(result);
            if (ranges.find()) {
                assertThat(result).as(query).contains("scansByRangesOfIndex." + ranges.group(1));
            }
            else {
                assertThat(result).as(query).contains("read=[one split").doesNotContain("scansByRangesOfIndex");
            }
        }
    }

    /** Trino analyzes a view in a session of its owner, without the settings of the query. */
    @Test
    void testViewIsReadAsItsQueryWishes()
    {
        trino.execute("CREATE VIEW memory.default.v AS SELECT * FROM mysql_pq.test.a");
        String query = "SELECT * FROM memory.default.v";
        assertThat(trino.execute("EXPLAIN " + query).getOnlyValue().toString()).contains("ranges of index PRIMARY");
        Session perScan = trino.session(ImmutableMap.of("snapshot_mode", "PER_SCAN"));
        assertThat(trino.execute(perScan, "EXPLAIN " + query).getOnlyValue().toString()).contains("read=[one split");
        assertThat(trino.execute(perScan, query).getRowCount()).isEqualTo(20_000);
        Session oneSplit = trino.session(ImmutableMap.of("parallel_reads_enabled", "false"));
        assertThat(trino.execute(oneSplit, "EXPLAIN ANALYZE VERBOSE " + query).getOnlyValue().toString()).contains("read=[one split").doesNotContain("scansByRangesOfIndex");
    }

    @Test
    void testViewOfOtherTypesThanItsQuerys()
    {
        mysql.execute("CREATE TABLE test.years (k BIGINT PRIMARY KEY, y YEAR)", "INSERT INTO test.years VALUES (1, 2024)");
        trino.execute("CREATE VIEW memory.default.years AS SELECT y FROM mysql_pq.test.years");
        String query = "SELECT y FROM memory.default.years";
        assertThat(trino.execute(query).getOnlyValue()).isEqualTo(LocalDate.of(2024, 1, 1));
        Session extended = trino.session(ImmutableMap.of("extended_types", "true"));
        assertThatThrownBy(() -> trino.execute(extended, query)).hasMessageContaining("Column y").hasMessageContaining("type date").hasMessageContaining("type integer").hasMessageContaining("session properties");
    }

    /** docs/decisions/range-cost.md says what each of them costs. */
    @Test
    void testStatementsOfARange()
    {
        Session session = trino.session(Map.of("aggregation_pushdown_enabled", "false"));
        trino.execute(session, "SELECT sum(b_k) FROM a");
        forgetStatements();
        trino.execute(session, "SELECT sum(b_k) FROM a");
        Map<String, List<String>> ranges = statements("% split=%").stream()
                .map(text -> MarkedStatement.parse(text).orElseThrow())
                .collect(groupingBy(statement -> statement.split().orElseThrow(), mapping(statement -> statement.sql().replaceAll("\\(.*", ""), toList())));
        assertThat(ranges).hasSizeGreaterThan(10);
        assertThat(ranges.values()).allSatisfy(statements -> assertThat(statements)
                .containsExactlyInAnyOrder("START TRANSACTION READ ONLY", "SELECT mysql_pq_snapshot_adopt", "SELECT mysql_pq_scan", "SELECT mysql_pq_snapshot_verify", "COMMIT"));
        // Those of the snapshot, of planning and of what is known of the table are set up too.
        assertThat(statements("SET SESSION autocommit%")).hasSizeBetween(ranges.size(), ranges.size() + 6);
    }

    /** What a table is does not change between two of a query's questions; a write asks again when it begins. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "SELECT v FROM a WHERE k = 7| 1| 0| 0",
            "SELECT * FROM a WHERE v < 10| 1| 0| 1",
            "SELECT * FROM a LIMIT 5| 1| 0| 0",
            "UPDATE a SET v = v + 0 WHERE k = 7| 2| 3| 0",
            "UPDATE a SET v = v + 0 WHERE k < 1000| 2| 3| 2",
            "UPDATE a SET v = 7 WHERE k = 7| 1| 2| 0",
            "DELETE FROM a WHERE k = -7| 1| 3| 0",
            "DELETE FROM a WHERE k % 7 = -5 AND g > 100| 2| 4| 1",
            "INSERT INTO a SELECT * FROM a WHERE k = -7| 1| 1| 0",
            "MERGE INTO a t USING (VALUES 7) s (k) ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = 7| 2| 3| 1"})
    void testQuestionsOfTables(String query, int definitions, int primaryKeys, int indexes)
    {
        trino.execute(query);
        forgetStatements();
        trino.execute(query);
        assertThat(statements("%SHOW CREATE TABLE%")).hasSize(definitions);
        assertThat(statements("%AS PK\\_NAME FROM%")).hasSize(primaryKeys);
        assertThat(statements("%s.seq\\_in\\_index%")).hasSize(indexes);
        // Columns are not read from the dictionary.
        assertThat(statements("%COLUMN\\_DEF%")).isEmpty();
    }

    private void forgetStatements()
    {
        mysql.awaitStatementsRecorded();
        mysql.execute("TRUNCATE performance_schema.events_statements_history_long");
    }

    private List<String> statements(String pattern)
    {
        mysql.awaitStatementsRecorded();
        return mysql.values("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '%s' AND sql_text NOT LIKE '%%history_long%%' AND thread_id <> ps_current_thread_id()".formatted(pattern));
    }
}
