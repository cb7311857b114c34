package io.mysqlpq.cross;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multisets;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomTable;
import io.mysqlpq.testing.random.Seed;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that the splits of a random table together give exactly its rows, as MySQL itself gives them.
 */
@TestInstance(PER_CLASS)
class TestUnionOfSplits
{
    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(MysqlServer.builder().extension(true).start());
    private long largestSplitCount;

    @RepeatedTest(15)
    void testSplitsGiveTheTable()
    {
        compareTable(Seed.random());
    }

    // Its key column has an index on a prefix too. MySQL read ranges by that, cut the bounds to the prefix, and lost rows.
    @Test
    void testTableWithAnIndexOnAPrefixOfTheKey()
    {
        compareTable(new Random(9130127837420L));
    }

    private void compareTable(Random random)
    {
        RandomTable table = new RandomTable("s.t", random);
        String ddl = table.ddl();
        System.out.println(ddl);
        cluster.mysql().execute("DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s", ddl, table.insert(6_000));
        compareRows();
        cluster.mysql().execute("DELETE FROM s.t WHERE RAND() < 0.5", table.insert(1_000));
        compareRows();
    }

    // Were all tables read in one split, nothing would have been tested.
    @AfterAll
    void assertSomeTablesWereSplit()
    {
        assertThat(largestSplitCount).isGreaterThan(3);
        cluster.mysql().assertErrorLogClean();
    }

    private void compareRows()
    {
        MaterializedResultWithPlan scan = cluster.queryWithId("SELECT * FROM mysql_pq.s.t");
        largestSplitCount = Math.max(largestSplitCount, cluster.scanCount(scan.queryId(), "splitsRead"));
        List<String> expected = MysqlRows.read(cluster.mysql(), "SELECT * FROM s.t");
        assertThat(expected).isNotEmpty();
        List<String> actual = scan.result().getMaterializedRows().stream().map(row -> MysqlRows.text(row.getFields())).sorted().toList();
        // The lists are long: only what differs is worth to be shown.
        assertThat(Multisets.difference(HashMultiset.create(expected), HashMultiset.create(actual))).as("lost rows").isEmpty();
        assertThat(Multisets.difference(HashMultiset.create(actual), HashMultiset.create(expected))).as("doubled or wrong rows").isEmpty();
    }
}
