package io.mysqlpq.cross;

import io.mysqlpq.cross.running.StatementSplitter;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that all TPC-H queries answer over parallel ranges what they answer over the generator itself.
 */
@TestInstance(PER_CLASS)
class TestTpchQueries
{
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "dashboards.md");
    private static final Pattern RECIPE = Pattern.compile("^```sql run-by=TestTpchQueries\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(MysqlServer.builder().extension(true).start());

    @BeforeAll
    void load()
    {
        TpchTables.load(cluster);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void testQuery(int number)
    {
        String sql = TpchTables.query(number);
        MaterializedResult actual = cluster.trino().execute(cluster.session("mysql_pq", "tpch"), sql);
        MaterializedResult expected = cluster.trino().execute(cluster.session("tpch", "tiny"), sql);
        assertThat(actual.getRowCount()).isPositive();
        assertThat(actual.getMaterializedRows()).isEqualTo(expected.getMaterializedRows());
    }

    static IntStream numbers()
    {
        return IntStream.rangeClosed(1, 22);
    }

    @Test
    void testLargeTableIsReadInRanges()
    {
        MaterializedResultWithPlan scan = cluster.queryWithId("SELECT * FROM mysql_pq.tpch.lineitem");
        assertThat(scan.result().getRowCount()).isEqualTo(60_175);
        assertThat(cluster.scanCount(scan.queryId(), "splitsRead")).isGreaterThan(4);
        MaterializedResultWithPlan join = cluster.queryWithId("SELECT count(*), sum(l_quantity) FROM mysql_pq.tpch.lineitem l JOIN mysql_pq.tpch.orders o ON l.l_orderkey = o.o_orderkey WHERE l_comment LIKE '%a%'");
        assertThat(cluster.scanCount(join.queryId(), "splitsRead")).isGreaterThan(8);
    }

    // The recipe of docs/dashboards.md. Who reads in a snapshot group does not notice that the kept rows are written again.
    @Test
    void testKeptJoin()
            throws IOException
    {
        String orders = "mysql_pq.reports.orders";
        cluster.trino().execute("CREATE SCHEMA mysql_pq.reports");
        cluster.trino().execute("CREATE TABLE %s WITH (primary_key = ARRAY['o_orderkey']) AS SELECT * FROM mysql_pq.tpch.orders".formatted(orders));
        StatementSplitter statements = new StatementSplitter();
        RECIPE.matcher(Files.readString(PAGE)).results().forEach(block -> statements.append(block.group(1).replace("mysql_pq.tpch.orders", orders)));
        cluster.trino().execute(statements.next().orElseThrow());
        cluster.trino().execute(statements.next().orElseThrow());
        String merge = statements.next().orElseThrow();
        assertThat(statements.next()).isEmpty();
        String kept = "SELECT n_name, year, c_mktsegment, r_name, orders, value FROM mysql_pq.reports.sales";
        String joined = """
                SELECT n_name, CAST(year(o_orderdate) AS integer), c_mktsegment, r_name, count(*), sum(o_totalprice)
                FROM %s JOIN mysql_pq.tpch.customer ON o_custkey = c_custkey JOIN mysql_pq.tpch.nation ON c_nationkey = n_nationkey JOIN mysql_pq.tpch.region ON n_regionkey = r_regionkey
                GROUP BY 1, 2, 3, 4""".formatted(orders);
        Session group = Session.builder(cluster.session("mysql_pq", "tpch")).setCatalogSessionProperty("mysql_pq", "snapshot_group", "dashboard").setCatalogSessionProperty("mysql_pq", "snapshot_group_age", "5m").build();
        cluster.trino().execute(merge);
        List<MaterializedRow> first = cluster.trino().execute(joined).getMaterializedRows();
        assertThat(cluster.trino().execute(group, kept).getMaterializedRows()).hasSizeGreaterThan(500).containsExactlyInAnyOrderElementsOf(first);
        cluster.trino().execute("DELETE FROM %s WHERE o_orderdate >= DATE '1998-01-01' OR o_orderkey %% 7 = 0".formatted(orders));
        cluster.trino().execute("UPDATE %s SET o_orderdate = DATE '1999-01-01' WHERE o_orderkey %% 11 = 0".formatted(orders));
        cluster.trino().execute(merge);
        List<MaterializedRow> second = cluster.trino().execute(joined).getMaterializedRows();
        assertThat(second).isNotEqualTo(first);
        assertThat(cluster.trino().execute(group, kept).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(first);
        assertThat(cluster.trino().execute(kept).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(second);
    }
}
