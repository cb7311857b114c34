package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.NastyColumn;
import io.mysqlpq.testing.random.NastyColumns;
import io.mysqlpq.testing.random.NastyTable;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.sql.planner.plan.AggregationNode;
import io.trino.sql.planner.plan.FilterNode;
import io.trino.sql.planner.plan.TopNNode;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.testing.random.NastyColumns.CHAR_COLUMNS;
import static io.mysqlpq.testing.random.NastyColumns.ENUMERATIONS;
import static io.mysqlpq.testing.random.NastyColumns.TEXT_COLUMNS;
import static io.mysqlpq.trino.TestingTrino.has;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Lets MySQL compare text of all kinds of collations, and compares its answers with those of Trino alone over a copy of the table. */
@TestInstance(PER_CLASS)
class TestTextPushdown
{
    private static final int ROWS = 200;
    private static final int LITERALS = 8;
    private static final List<NastyColumn> COLUMNS = Stream.of(TEXT_COLUMNS, CHAR_COLUMNS, ENUMERATIONS).flatMap(List::stream).collect(toImmutableList());
    private static final List<NastyColumn> GROUPED = COLUMNS.stream()
            .filter(column -> Set.of("exact", "bin", "ai", "german", "wide", "japanese", "char_exact", "char_ai", "char_latin", "choice", "latin_choice").contains(column.name()))
            .collect(toImmutableList());
    private static final NastyTable NASTY = new NastyTable("nasty", NastyColumns.COLUMNS);
    private static final String MYSQL = "mysql_pq.test.nasty";
    private static final String ALONE = "memory.default.nasty";

    private final Random random = Seed.random();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                NASTY.create("test"),
                "SET SESSION sql_mode = ''",
                NASTY.insert("test", ROWS, random),
                "SET SESSION cte_max_recursion_depth = 10000",
                "CREATE TABLE test.keyed (n INT PRIMARY KEY, ai VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, german VARCHAR(20) COLLATE latin1_german2_ci, exact VARCHAR(20) COLLATE utf8mb4_0900_bin, KEY (ai), KEY (german), KEY (exact))",
                "INSERT INTO test.keyed WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 2000) SELECT n, CONCAT('é', n), CONCAT('ü', n), CONCAT('x', n) FROM s",
                "ANALYZE TABLE test.keyed");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "500", "join-pushdown.enabled", "false"));
        trino.addMemory();
        trino.execute("CREATE TABLE %s AS SELECT * FROM %s".formatted(ALONE, MYSQL));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testComparisonsAreDecidedInMysql()
    {
        for (NastyColumn column : COLUMNS) {
            assertFiltersPushed(Stream.of("= %2$s", "<> %2$s", "< %2$s", ">= %2$s", "IN (%2$s, %3$s, %4$s)", "NOT IN (%2$s, %3$s)", "BETWEEN %2$s AND %3$s", "IS NULL", "IS NOT NULL")
                    .map(condition -> ("%1$s " + condition).formatted(column.name(), column.literals().get(2), column.literals().get(3), column.literals().getLast())));
        }
    }

    @Test
    void testNullsAreLookedForInMysql()
    {
        mysql.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'");
        Session session = trino.session(ImmutableMap.of("native_scan_enabled", "false"));
        for (String condition : List.of("IS NULL", "IS NOT NULL")) {
            String query = trino.executeWithPlan(session, "SELECT n FROM keyed WHERE german %s".formatted(condition)).queryId().toString();
            assertThat(mysql.values("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '/*mysql_pq %s %%*/ SELECT `n`%%`german` %s%%'".formatted(query, condition))).as(condition).isNotEmpty();
        }
    }

    @Test
    void testEqualityWithManyValues()
    {
        for (NastyColumn column : COLUMNS) {
            assertFiltersPushed(random.ints(LITERALS, 0, column.literals().size()).distinct().mapToObj(literal -> "%s = %s".formatted(column.name(), column.literals().get(literal))));
        }
    }

    // Release 482: the least and the greatest value by Trino's order enclose other strings by MySQL's.
    @Test
    void testManyValuesAreNoRange()
    {
        for (NastyColumn column : COLUMNS) {
            String predicate = "%s IN (%s)".formatted(column.name(), column.literals().stream().skip(1).collect(joining(", ")));
            for (String threshold : List.of("1", "4", "256")) {
                Session session = trino.session(Map.of("domain_compaction_threshold", threshold));
                assertThat(rows(session, "SELECT n FROM nasty WHERE " + predicate, MYSQL)).as(predicate).isEqualTo(rows(session, "SELECT n FROM nasty WHERE " + predicate, ALONE));
            }
        }
    }

    @Test
    void testLike()
    {
        for (NastyColumn column : Sets.intersection(Set.copyOf(TEXT_COLUMNS), Set.copyOf(GROUPED))) {
            assertFiltersPushed(Stream.of("'a%'", "'%a'", "'_'", "'__'", "'a|%'", "'a\\_%'", "'a$_%' ESCAPE '$'", "'a||b' ESCAPE '|'", "''", "'%%'", "U&'_\\+000301'", "'?%'")
                    .flatMap(pattern -> Stream.of("%s LIKE %s".formatted(column.name(), pattern), "%s NOT LIKE %s".formatted(column.name(), pattern))));
        }
        assertSame("SELECT n FROM nasty WHERE char_ai LIKE 'a'");
        assertSame("SELECT n FROM nasty WHERE exact LIKE ai");
    }

    @Test
    void testGrouping()
    {
        for (NastyColumn column : GROUPED) {
            for (String sql : List.of(
                    "SELECT %1$s, count(*), count(DISTINCT n) FROM nasty GROUP BY %1$s",
                    "SELECT DISTINCT %1$s FROM nasty",
                    "SELECT %1$s, i, min(n) FROM nasty WHERE %1$s > %2$s GROUP BY %1$s, i",
                    "SELECT count(DISTINCT %1$s), min(%1$s), max(%1$s) FROM nasty",
                    "SELECT big, count(DISTINCT %1$s), min(%1$s), max(%1$s) FROM nasty GROUP BY big",
                    "SELECT n, min(%1$s), max(%1$s) FROM nasty GROUP BY n",
                    "SELECT * FROM (SELECT %1$s x, max(%1$s) y FROM nasty GROUP BY %1$s) WHERE x <> %2$s AND y IN (%2$s, %3$s)")) {
                String query = sql.formatted(column.name(), column.literals().get(1), column.literals().get(3));
                assertThat(has(assertSame(query), AggregationNode.class)).as(query).isEqualTo(!column.definition().contains("COLLATE utf8mb4"));
            }
        }
    }

    @Test
    void testTopN()
    {
        for (NastyColumn column : GROUPED) {
            for (String order : List.of("ASC NULLS FIRST", "DESC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS LAST")) {
                String sql = "SELECT %1$s FROM nasty ORDER BY %1$s %2$s LIMIT 150".formatted(column.name(), order);
                MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(Map.of()), sql);
                assertThat(result.result().getMaterializedRows()).as(sql).isEqualTo(trino.execute(from(ALONE, sql)).getMaterializedRows());
                assertThat(has(result, TopNNode.class)).as(sql).isFalse();
            }
        }
    }

    // MySQL would sort them by whole values, for which its sort buffer may have no room.
    @Test
    void testOrderOfLongText()
    {
        mysql.execute(
                "CREATE TABLE test.long_texts (n INT PRIMARY KEY, t LONGTEXT COLLATE utf8mb4_general_ci)",
                "INSERT INTO test.long_texts VALUES (1, CONCAT(REPEAT('x', 5000), 'b')), (2, CONCAT(REPEAT('x', 5000), 'a')), (3, CONCAT(REPEAT('x', 5000), 'A')), (4, CONCAT(REPEAT('x', 5000), 'a'))");
        assertThat(trino.execute("SELECT substr(t, 5001) FROM (SELECT t FROM long_texts ORDER BY t DESC LIMIT 3)").getOnlyColumn().toList()).containsExactlyInAnyOrder("b", "a", "a");
        assertThat(trino.execute("SELECT count(*) FROM long_texts GROUP BY t").getOnlyColumn().toList()).containsExactlyInAnyOrder(1L, 1L, 2L);
        assertThat(explain("SELECT t FROM long_texts ORDER BY t DESC LIMIT 3")).contains("TopN");
        assertThat(explain("SELECT count(*) FROM long_texts GROUP BY t")).contains("Aggregate");
        // Longer than MySQL's sort buffer.
        mysql.execute("UPDATE test.long_texts SET t = CONCAT(n, REPEAT('x', 300000))");
        assertThat(trino.execute("SELECT n FROM long_texts ORDER BY t LIMIT 2").getOnlyColumn().toList()).containsExactlyInAnyOrder(1, 2);
        assertThat(trino.execute("SELECT count(DISTINCT n) FROM long_texts GROUP BY t").getOnlyColumn().toList()).containsExactly(1L, 1L, 1L, 1L);
    }

    // The words of MySQL's own optimizer would differ from release to release: it must examine few rows.
    @Test
    void testEqualityIsReadByIndex()
            throws SQLException
    {
        assertThat(examined("SELECT n FROM keyed WHERE ai = 'é777'")).isEqualTo(1);
        assertThat(examined("SELECT n FROM keyed WHERE german = 'ü777'")).isEqualTo(1);
        assertThat(examined("SELECT n FROM keyed WHERE german IN ('ü777', '漢')")).isEqualTo(1);
        assertThat(examined("SELECT n FROM keyed WHERE exact BETWEEN 'x777' AND 'x778'")).isLessThan(20);
        assertThat(examined("SELECT n FROM keyed WHERE exact LIKE 'x777%'")).isEqualTo(1);
        assertThat(examined("SELECT exact FROM keyed ORDER BY exact NULLS FIRST LIMIT 5")).isEqualTo(5);
        assertThat(examined("SELECT n FROM keyed WHERE ai > 'é777'")).isEqualTo(2000);
    }

    private long examined(String sql)
            throws SQLException
    {
        mysql.awaitStatementsRecorded();
        mysql.execute("TRUNCATE performance_schema.events_statements_summary_by_digest");
        // A range is read by the index that it was planned on.
        trino.execute(trino.session(Map.of("range_source", "NONE")), sql);
        mysql.awaitStatementsRecorded();
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT sum(sum_rows_examined) FROM performance_schema.events_statements_summary_by_digest WHERE digest_text LIKE 'SELECT%FROM `test` . `keyed`%'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void testDynamicFilters()
    {
        mysql.execute(
                "CREATE TABLE test.few (x VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, y VARCHAR(20) COLLATE utf8mb4_bin)",
                "INSERT INTO test.few VALUES ('É777', 'ü1'), ('é778', 'ü2 '), ('é779', 'ü3')");
        for (String threshold : List.of("1", "256")) {
            Session session = trino.session(Map.of("domain_compaction_threshold", threshold));
            assertThat(trino.execute(session, "SELECT n FROM keyed JOIN few ON ai = x").getOnlyColumn().toList()).containsExactlyInAnyOrder(778, 779);
            assertThat(trino.execute(session, "SELECT n FROM keyed JOIN few ON german = y").getOnlyColumn().toList()).containsExactlyInAnyOrder(1, 3);
        }
        MaterializedResultWithPlan join = trino.executeWithPlan(trino.session(Map.of()), "SELECT n FROM keyed JOIN few ON ai = x");
        assertThat(trino.count(join.queryId(), ROWS_READ)).isEqualTo(3 + 2);
    }

    // MySQL keeps halves of characters there, and sends something else.
    @Test
    void testHalvesOfCharacters()
    {
        mysql.execute("CREATE TABLE test.halves (n INT PRIMARY KEY, t VARCHAR(5) CHARACTER SET ucs2)", "INSERT INTO test.halves VALUES (1, _ucs2 X'D83D'), (2, 'a')");
        String seen = (String) trino.execute("SELECT t FROM halves WHERE n = 1").getOnlyValue();
        assertThat(trino.execute("SELECT n FROM halves WHERE t = '%s'".formatted(seen)).getOnlyColumn().toList()).containsExactly(1);
        assertThat(trino.execute("SELECT n FROM halves WHERE t <> '%s'".formatted(seen)).getOnlyColumn().toList()).containsExactly(2);
    }

    @Test
    void testChangesOfEqualRowsOnly()
    {
        mysql.execute(
                "CREATE TABLE test.changed (n INT PRIMARY KEY, t VARCHAR(20) COLLATE utf8mb4_general_ci, u VARCHAR(20) COLLATE latin1_swedish_ci)",
                "INSERT INTO test.changed VALUES (1, 'a', 'a'), (2, 'A', 'A'), (3, 'a ', 'a '), (4, 'á', 'á'), (5, NULL, '?')");
        trino.execute("UPDATE changed SET u = 'b' WHERE t = 'a'");
        trino.execute("DELETE FROM changed WHERE u IN ('A', '漢')");
        trino.execute("DELETE FROM changed WHERE t > 'z'");
        assertThat(trino.execute("SELECT n, u FROM changed").getMaterializedRows().stream().map(Object::toString).toList()).containsExactlyInAnyOrder("[1, b]", "[3, a ]", "[5, ?]");
    }

    @Test
    void testTextOfQueries()
    {
        String query = "(SELECT * FROM TABLE(mysql_pq.system.query(query => 'SELECT n, ai, german, japanese_bin, choice, flags FROM test.nasty')))";
        for (String column : List.of("ai", "german", "japanese_bin", "choice", "flags")) {
            for (String condition : List.of("= 'A'", "<> 'A'", "< U&'\\6F22'", "= U&'\\3231'", "IN ('A', 'a ')")) {
                String sql = "SELECT n FROM nasty WHERE %s %s".formatted(column, condition);
                assertThat(rows(trino.session(Map.of()), sql, query)).as(sql).isEqualTo(rows(trino.session(Map.of()), sql, ALONE));
            }
        }
    }

    private void assertFiltersPushed(Stream<String> predicates)
    {
        String sql = predicates.map(predicate -> "SELECT n, %s FROM nasty WHERE %s".formatted(quoted(predicate), predicate)).collect(joining(" UNION ALL "));
        assertThat(has(assertSame(sql), FilterNode.class)).as(sql).isFalse();
    }

    private static String quoted(String text)
    {
        return "'%s'".formatted(text.replace("'", "''"));
    }

    private MaterializedResultWithPlan assertSame(String sql)
    {
        Session session = trino.session(Map.of());
        MaterializedResultWithPlan result = trino.executeWithPlan(session, from(MYSQL, sql));
        assertThat(rows(result.result())).as(sql).isEqualTo(rows(session, sql, ALONE));
        return result;
    }

    private List<String> rows(Session session, String sql, String table)
    {
        return rows(trino.execute(session, from(table, sql)));
    }

    private static String from(String table, String sql)
    {
        return sql.replace("FROM nasty", "FROM " + table);
    }

    private static List<String> rows(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(Object::toString).sorted().toList();
    }

    private String explain(String sql)
    {
        return (String) trino.execute("EXPLAIN " + sql).getOnlyValue();
    }
}
