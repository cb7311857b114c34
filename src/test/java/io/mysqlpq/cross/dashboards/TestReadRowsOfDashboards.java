package io.mysqlpq.cross.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that previews, filter boxes and charts of a span of time read no more of a table than MySQL itself needs.
 * A table's statistics, for which the first query of it reads a sample of rows, are known when rows are counted.
 */
class TestReadRowsOfDashboards
        extends BaseDashboardTest
{
    private static final int PREVIEW = 1000;

    TestReadRowsOfDashboards()
    {
        // A query must not get what the one before it read.
        super(Map.of("shared-reads-memory", "0B"));
    }

    @Test
    void testPreviewOfSqlLab()
            throws IOException, InterruptedException
    {
        superset.sqlLab("SELECT * FROM mysql_pq.tpch.lineitem");
        ReadRows read = new ReadRows(mysql());
        JsonNode answer = superset.sqlLab("SELECT * FROM mysql_pq.tpch.lineitem");
        assertThat(answer.path("data")).hasSize(PREVIEW);
        // One row more tells whether there are more.
        assertThat(read.sinceThen()).isBetween((long) PREVIEW, PREVIEW + 1L);
    }

    @Test
    void testFilterBoxOfIndexedColumn()
            throws IOException, InterruptedException
    {
        assertFilterBox("lineitem", "l_suppkey", 50);
        assertFilterBox("orders", "o_orderdate", 100);
    }

    @Test
    void testFilterBoxesOfTheDashboard()
            throws IOException, InterruptedException
    {
        assertFilterBox("nation", "n_name", PREVIEW);
        assertFilterBox("customer", "c_mktsegment", PREVIEW);
        assertFilterBox("orders", "o_orderpriority", PREVIEW);
    }

    @Test
    void testMonthsOfSummer()
            throws IOException, InterruptedException
    {
        long inSummer = Long.parseLong(mysql().values("SELECT COUNT(*) FROM tpch.lineitem WHERE l_shipdate >= '1998-06-01' AND l_shipdate < '1998-09-01'").getFirst());
        Map<String, Object> query = query("lineitem", Map.of(
                "columns", List.of(Map.of("columnType", "BASE_AXIS", "sqlExpression", "l_shipdate", "label", "l_shipdate", "expressionType", "SQL", "timeGrain", "P1M")),
                "metrics", List.of("lines"),
                "filters", List.of(Map.of("col", "l_shipdate", "op", "TEMPORAL_RANGE", "val", "1998-06-01 : 1998-09-01")),
                "row_limit", PREVIEW));
        superset.rows(query);
        ReadRows read = new ReadRows(mysql());
        List<JsonNode> months = superset.rows(query);
        assertThat(read.sinceThen()).isBetween(inSummer, inSummer + 10);
        assertThat(ChartRows.of(months)).isEqualTo(ChartRows.inMysql(mysql(), """
                SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', DATE_FORMAT(l_shipdate, '%Y-%m-01')) * 1000 AS m, COUNT(*)
                FROM tpch.lineitem WHERE l_shipdate >= '1998-06-01' AND l_shipdate < '1998-09-01' GROUP BY m"""));
    }

    // A filter box asks for the distinct values in order, up to a limit. What MySQL itself reads for them is the measure: it finds
    // each value once by an index on the column, and otherwise reads the table.
    private void assertFilterBox(String table, String column, int limit)
            throws IOException, InterruptedException
    {
        ReadRows own = new ReadRows(mysql());
        List<String> values = mysql().values("SELECT %1$s FROM tpch.%2$s GROUP BY %1$s ORDER BY %1$s LIMIT %3$s".formatted(column, table, limit));
        long needed = own.sinceThen();
        Map<String, Object> query = query(table, Map.of("columns", List.of(column), "metrics", List.of(), "orderby", List.of(List.of(column, true)), "row_limit", limit));
        superset.rows(query);
        ReadRows read = new ReadRows(mysql());
        List<JsonNode> shown = superset.rows(query);
        long reads = read.sinceThen();
        System.out.printf("%s of %s: %s values, MySQL reads %s rows by itself, %s for Superset%n", column, table, values.size(), needed, reads);
        assertThat(shown).hasSameSizeAs(values);
        assertThat(reads).as(column).isLessThanOrEqualTo(needed + 1);
    }

    private Map<String, Object> query(String dataset, Map<String, Object> query)
            throws IOException, InterruptedException
    {
        return Map.of("datasource", Map.of("id", superset.dataset(dataset), "type", "table"), "queries", List.of(query), "result_format", "json", "result_type", "full");
    }
}
