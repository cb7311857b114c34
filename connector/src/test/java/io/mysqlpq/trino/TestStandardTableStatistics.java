package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.plugin.jdbc.BaseJdbcTableStatisticsTest;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/** Runs Trino's own suite of table statistics, with histograms of all columns. */
class TestStandardTableStatistics
        extends BaseJdbcTableStatisticsTest
{
    private MysqlServer mysql;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        mysql = closeAfterClass(MysqlServer.builder().extension(true).start());
        mysql.execute("CREATE DATABASE tpch");
        DistributedQueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("tpch").build()).setWorkerCount(1).build();
        runner.installPlugin(new TpchPlugin());
        runner.createCatalog("tpch", "tpch", ImmutableMap.of());
        runner.installPlugin(new MysqlPqPlugin());
        runner.createCatalog("mysql_pq", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "case-insensitive-name-matching", "true",
                "join-pushdown.strategy", "EAGER"));
        return runner;
    }

    @Override
    protected void gatherStats(String tableName)
    {
        String columns = computeActual("SHOW COLUMNS FROM " + tableName).getMaterializedRows().stream()
                .map(row -> "`%s`".formatted(row.getField(0)))
                .collect(joining(", "));
        String table = "tpch." + tableName.replace('"', '`');
        mysql.execute("ANALYZE TABLE " + table, "ANALYZE TABLE %s UPDATE HISTOGRAM ON %s WITH 1000 BUCKETS".formatted(table, columns));
    }

    private void createOrders(String table, String changes)
    {
        mysql.execute("DROP TABLE IF EXISTS tpch." + table);
        assertUpdate("CREATE TABLE %s AS SELECT orderkey, custkey, orderstatus, orderpriority FROM tpch.tiny.orders".formatted(table), 15_000);
        mysql.execute(changes.isEmpty() ? new String[0] : new String[] {"ALTER TABLE tpch.%s %s".formatted(table, changes)});
    }

    // Each column's row of SHOW STATS, and that of the table by an empty name.
    private Map<String, MaterializedRow> stats(String table)
    {
        return computeActual("SHOW STATS FOR " + table).getMaterializedRows().stream()
                .collect(toImmutableMap(row -> row.getField(0) == null ? "" : (String) row.getField(0), Function.identity()));
    }

    private static Double distinctValues(MaterializedRow row)
    {
        return (Double) row.getField(2);
    }

    private static Double nullsFraction(MaterializedRow row)
    {
        return (Double) row.getField(3);
    }

    private static Double rowCount(Map<String, MaterializedRow> stats)
    {
        return (Double) stats.get("").getField(4);
    }

    // InnoDB estimates rows without being asked to.
    @Test
    @Override
    public void testNotAnalyzed()
    {
        createOrders("not_analyzed", "ENGINE = InnoDB, STATS_AUTO_RECALC = 0");
        Map<String, MaterializedRow> stats = stats("not_analyzed");
        assertThat(rowCount(stats)).isCloseTo(15_000, withinPercentage(50));
        for (String column : List.of("orderkey", "custkey", "orderstatus")) {
            assertThat(distinctValues(stats.get(column))).isNull();
            assertThat(nullsFraction(stats.get(column))).isNull();
        }
    }

    @Test
    @Override
    public void testBasic()
    {
        createOrders("basic", "STATS_SAMPLE_PAGES = 1000");
        assertOrders("basic", 15_000);
    }

    private void assertOrders(String table, double rows)
    {
        gatherStats(table);
        Map<String, MaterializedRow> stats = stats(table);
        assertThat(rowCount(stats)).isCloseTo(rows, withinPercentage(10));
        for (String column : List.of("orderkey", "custkey", "orderstatus", "orderpriority")) {
            double distinct = ((Long) computeScalar("SELECT count(DISTINCT %s) FROM %s".formatted(column, table))).doubleValue();
            assertThat(distinctValues(stats.get(column))).as(column).isCloseTo(distinct, withinPercentage(10));
            assertThat(nullsFraction(stats.get(column))).as(column).isEqualTo(0);
        }
    }

    @Test
    @Override
    public void testAllNulls()
    {
        mysql.execute("CREATE TABLE tpch.all_nulls (a BIGINT, b VARCHAR(20), c DOUBLE)", "INSERT INTO tpch.all_nulls VALUES (NULL, NULL, NULL), (NULL, NULL, NULL), (NULL, NULL, NULL)");
        gatherStats("all_nulls");
        Map<String, MaterializedRow> stats = stats("all_nulls");
        assertThat(rowCount(stats)).isEqualTo(3);
        for (String column : List.of("a", "b", "c")) {
            assertThat(distinctValues(stats.get(column))).as(column).isEqualTo(0);
            assertThat(nullsFraction(stats.get(column))).as(column).isEqualTo(1);
        }
    }

    @Test
    @Override
    public void testNullsFraction()
    {
        createOrders("some_nulls", "STATS_SAMPLE_PAGES = 1000");
        mysql.execute("UPDATE tpch.some_nulls SET custkey = NULL WHERE orderkey % 3 = 0");
        gatherStats("some_nulls");
        double nulls = (double) computeScalar("SELECT CAST(count_if(custkey IS NULL) AS double) / count(*) FROM some_nulls");
        assertThat(nullsFraction(stats("some_nulls").get("custkey"))).isCloseTo(nulls, withinPercentage(1));
    }

    // MySQL does not tell.
    @Test
    @Override
    public void testAverageColumnLength()
    {
        createOrders("lengths", "");
        gatherStats("lengths");
        assertThat(stats("lengths").values()).allMatch(row -> row.getField(1) == null);
    }

    @Test
    @Override
    public void testPartitionedTable()
    {
        createOrders("partitioned", "PARTITION BY HASH (orderkey) PARTITIONS 4");
        assertOrders("partitioned", 15_000);
    }

    @Test
    @Override
    public void testView()
    {
        mysql.execute("CREATE OR REPLACE VIEW tpch.seen AS SELECT nationkey, name FROM tpch.nation");
        Map<String, MaterializedRow> stats = stats("seen");
        assertThat(rowCount(stats)).isNull();
        assertThat(distinctValues(stats.get("nationkey"))).isNull();
    }

    // MySQL 9.7 has them, and says of their rows as little as of a view's.
    @Test
    @NeedsMysql97
    @Override
    public void testMaterializedView()
    {
        mysql.execute("CREATE MATERIALIZED VIEW tpch.materialized AS SELECT nationkey, name FROM tpch.nation");
        assertThat(query("SELECT * FROM materialized")).matches("SELECT nationkey, name FROM nation");
        Map<String, MaterializedRow> stats = stats("materialized");
        assertThat(rowCount(stats)).isNull();
        assertThat(distinctValues(stats.get("nationkey"))).isNull();
    }

    @Override
    protected void testCaseColumnNames(String tableName)
    {
        String table = "tpch." + tableName.replace('"', '`');
        mysql.execute("CREATE TABLE %s AS SELECT nationkey AS UPPER_NAME, regionkey AS lower_name, name AS `Mixed_Name` FROM tpch.nation".formatted(table));
        gatherStats(tableName);
        Map<String, MaterializedRow> stats = stats(tableName);
        assertThat(stats.keySet()).containsExactlyInAnyOrder("upper_name", "lower_name", "mixed_name", "");
        assertThat(distinctValues(stats.get("upper_name"))).isEqualTo(25);
        assertThat(distinctValues(stats.get("lower_name"))).isEqualTo(5);
        assertThat(distinctValues(stats.get("mixed_name"))).isEqualTo(25);
        mysql.execute("DROP TABLE " + table);
    }

    // Least and greatest values are not given, so none can be wrong.
    @Test
    @Override
    public void testNumericCornerCases()
    {
        mysql.execute(
                "CREATE TABLE tpch.corners (u BIGINT UNSIGNED, d DOUBLE, f FLOAT, n DECIMAL(65, 30))",
                "INSERT INTO tpch.corners VALUES (18446744073709551615, 1.7976931348623157e308, 3.4e38, 99999999999999999999999999999999999.999999999999999999999999999999), (0, -1.7976931348623157e308, -0.0, -1), (1, 0, 1e-38, 0)");
        gatherStats("corners");
        Map<String, MaterializedRow> stats = stats("corners");
        for (String column : List.of("u", "d", "f", "n")) {
            assertThat(distinctValues(stats.get(column))).as(column).isEqualTo(3);
            assertThat(stats.get(column).getField(5)).as(column).isNull();
            assertThat(stats.get(column).getField(6)).as(column).isNull();
        }
    }
}
