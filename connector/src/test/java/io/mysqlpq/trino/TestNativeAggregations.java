package io.mysqlpq.trino;

import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_STOPPED;
import static io.mysqlpq.trino.metrics.ReadMetrics.RANGES_MERGED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Groups the same rows in the extension, in Trino and by SQL. */
class TestNativeAggregations
        extends BaseNativeScanTest
{
    // The extension computes the groups of ranges. MySQL, and Trino from rows, compute the same.
    @Test
    void testNativeAggregations()
    {
        List<String> nativeGroups = new ArrayList<>();
        String byColumn = "SELECT %1$s, count(*) FROM t WHERE n <> 7 GROUP BY %1$s";
        for (String definition : COLUMNS.keySet()) {
            String column = definition.substring(0, definition.indexOf(' '));
            // Which of its zeros a group has depends on who comes first, and f1 has both.
            if (!column.equals("f1") && plan(NATIVE_AGGREGATION, byColumn.formatted(column)).contains("aggregated natively")) {
                nativeGroups.add(column);
            }
        }
        // Nobody knows how many groups BIT and large values have. Moments of more than three digits are objects.
        assertThat(nativeGroups).contains("t1", "t10", "d1", "d3", "c1", "c4", "c6", "h3", "e1", "e3", "s1", "s2", "f2", "f2b");
        for (String column : Draw.some(15, nativeGroups)) {
            assertSameGroups(byColumn.formatted(column));
        }
        for (String column : Draw.some(5, "t1", "t3", "t5", "t7", "t9", "d1", "d2", "t2", "t8", "f2", "f2b")) {
            assertSameGroups("SELECT count(*), count(%1$s), min(%1$s), max(%1$s) FROM t".formatted(column));
            assertSameGroups("SELECT e1, count(%1$s), min(%1$s), max(%1$s) FROM t GROUP BY e1".formatted(column));
        }
        for (String column : List.of("s2", "s4", "e1")) {
            assertSameGroups("SELECT count(%1$s), min(%1$s), max(%1$s), min(s2b) FROM t WHERE n <> 7".formatted(column));
            assertSameGroups("SELECT t2, count(%1$s), min(%1$s), max(%1$s) FROM t WHERE t7 <> 0 GROUP BY t2".formatted(column));
        }
        for (String column : List.of("t1", "t7", "d1", "d2")) {
            assertSameGroups("SELECT t2, sum(%1$s) FROM t WHERE t9 IS NULL GROUP BY t2".formatted(column));
        }
        for (String sql : List.of(
                "SELECT avg(d1), avg(d2) FROM t",
                "SELECT t2, t1, avg(d1), count(*) FROM t GROUP BY t2, t1",
                "SELECT count(*) FROM t WHERE s2 = ''",
                "SELECT t1, sum(t7) AS s FROM t GROUP BY t1 HAVING sum(t7) > 0 ORDER BY s DESC LIMIT 2",
                "SELECT DISTINCT s1 FROM t",
                "SELECT count(*) FROM t WHERE t7 = n OR d1 = d1b")) {
            assertSameGroups(sql);
        }
        for (String order : List.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST")) {
            String sql = "SELECT t1, t2, count(*) AS c FROM t GROUP BY t1, t2 ORDER BY t1 %1$s, c, t2 %1$s LIMIT 7".formatted(order);
            assertSameGroups(sql);
            assertThat(trino.execute(trino.session(NATIVE_AGGREGATION), sql).getMaterializedRows()).as(sql).isEqualTo(trino.execute(trino.session(NATIVE), sql).getMaterializedRows());
        }
        // Ranges add up to more than a BIGINT, and only the whole sum must be one.
        for (Map<String, String> properties : List.of(NATIVE_AGGREGATION, BY_SQL)) {
            assertThatThrownBy(() -> trino.execute(trino.session(properties), "SELECT sum(t9) FROM t WHERE t9 > 1")).as("%s", properties).hasMessageContaining("does not fit into BIGINT");
        }
    }

    // What the extension does not compute the connector computes of rows, in the same snapshot.
    @Test
    void testNativeAggregationThatIsRefused()
    {
        mysql.execute("SET GLOBAL mysql_pq_scan_memory = 1048576");
        try {
            String sql = "SELECT t1, count(*), sum(d1) FROM t GROUP BY t1";
            MaterializedResultWithPlan refused = trino.executeWithPlan(trino.session(NATIVE_AGGREGATION), sql);
            assertThat(trino.count(refused.queryId(), NATIVE_REFUSED + "memory_limit")).isPositive();
            assertThat(texts(refused.result())).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
        }
        // From a text that is too long for a group of the extension's the connector goes on.
        mysql.execute(
                "CREATE TABLE test.texts (n INT PRIMARY KEY, s VARCHAR(5000) COLLATE utf8mb4_bin)",
                "INSERT INTO test.texts SELECT n, CONCAT(REPEAT(IF(n MOD 2 = 0, 'é', 'z'), IF(n MOD 1000 = 900, 3000, 20)), n) FROM test.t",
                "ANALYZE TABLE test.texts");
        for (String sql : List.of("SELECT min(s), max(s), count(*) FROM texts WHERE n <> 7", "SELECT n % 3, min(s), max(s), count(*) FROM texts GROUP BY 1", "SELECT n % 3, min(substring(s, 1, 25)), max(substring(s, 3)) FROM texts GROUP BY 1", "SELECT n % 3, max_by(s, n), min_by(n, s), count(*) FROM texts GROUP BY 1", "SELECT max_by(s, n % 1000 * 1000 + n) FROM texts")) {
            MaterializedResultWithPlan stopped = trino.executeWithPlan(trino.session(NATIVE_AGGREGATION), sql);
            assertThat(trino.count(stopped.queryId(), NATIVE_STOPPED)).as(sql).isPositive();
            assertThat(texts(stopped.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        }
        // An invalid date is no group of Trino's, whoever meets it.
        mysql.execute(
                "CREATE TABLE test.days (n INT PRIMARY KEY, d DATE)",
                "SET SESSION sql_mode = ''",
                "INSERT INTO test.days SELECT n, IF(n = 1500, '0000-00-00', '2024-02-29') FROM test.t",
                "ANALYZE TABLE test.days");
        for (Map<String, String> properties : List.of(NATIVE_AGGREGATION, NATIVE, BY_SQL)) {
            assertThatThrownBy(() -> trino.execute(trino.session(properties), "SELECT d, count(*) FROM days GROUP BY d")).as("%s", properties).hasMessageContaining("Column d");
        }
    }

    private void assertSameGroups(String sql)
    {
        assertThat(plan(NATIVE_AGGREGATION, sql)).as(sql).contains("aggregated natively in ranges of index PRIMARY from EXTENSION");
        MaterializedResultWithPlan natively = trino.executeWithPlan(trino.session(NATIVE_AGGREGATION), sql);
        List<String> groups = texts(natively.result());
        assertThat(trino.count(natively.queryId(), READ_NATIVELY)).as(sql).isEqualTo(trino.count(natively.queryId(), RANGES_MERGED)).isPositive();
        assertThat(plan(NATIVE, sql)).as(sql).doesNotContain("aggregated natively");
        assertThat(groups).as(sql).isEqualTo(texts(trino.execute(trino.session(NATIVE), sql)));
        assertThat(groups).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
    }

    // Trino groups what the extension reads.
    @Test
    void testAggregations()
    {
        for (String sql : List.of("SELECT count(*), sum(t7), min(s2), max(t3), count(DISTINCT t1) FROM t", "SELECT t1, count(*), avg(d1) FROM t GROUP BY t1", "SELECT count(*) FROM t WHERE s2 = ''", "SELECT DISTINCT s1 FROM t")) {
            assertThat(plan(NATIVE, sql)).as(sql).contains("ranges of index PRIMARY from EXTENSION, natively").doesNotContain("aggregation merged");
            assertThat(plan(BY_SQL, sql)).as(sql).doesNotContain("natively");
            assertThat(trino.count(assertSame(sql), READ_NATIVELY)).as(sql).isPositive();
        }
        // By the end of the index; by a type that comes by SQL only.
        assertThat(plan(NATIVE, "SELECT max(n) FROM t")).contains("one split: pushed query");
        mysql.execute("CREATE TABLE test.documents (n INT PRIMARY KEY, f JSON)", "INSERT INTO test.documents SELECT n, '[1]' FROM test.t", "ANALYZE TABLE test.documents");
        assertThat(plan(NATIVE, "SELECT count(f) FROM documents")).contains("aggregation merged from ranges of index PRIMARY from EXTENSION").doesNotContain("natively");
    }

    // MySQL computes them sooner than it sends the rows.
    @Test
    void testAggregationsOfFewRowsAndLargeTexts()
    {
        mysql.execute("CREATE TABLE test.bodies (n INT PRIMARY KEY, body LONGTEXT)", "INSERT INTO test.bodies SELECT n, 'a' FROM test.t", "ANALYZE TABLE test.bodies");
        assertThat(plan(NATIVE, "SELECT count(body) FROM bodies")).contains("aggregation merged");
        assertThat(plan(NATIVE, "SELECT count(*), sum(t9) FROM t WHERE n BETWEEN 100 AND 300")).contains("count(*)").doesNotContain("natively");
        assertThat(plan(NATIVE, "SELECT count(*), sum(t9) FROM t WHERE n BETWEEN 100 AND 3900")).contains("natively");
    }
}
