package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that all TPC-H queries answer over parallel ranges what they answer over the generator itself.
 */
@TestInstance(PER_CLASS)
class TestTpchQueries
{
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
}
