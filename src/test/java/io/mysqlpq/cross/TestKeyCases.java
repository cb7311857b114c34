package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.keys.KeyCase;
import io.mysqlpq.testing.keys.KeyShapes;
import io.mysqlpq.testing.keys.KeyTypes;
import io.mysqlpq.testing.random.Seed;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Reads tables with keys of every kind through Trino, each row once, and holds docs/key-types.md to what was seen.
 */
@TestInstance(PER_CLASS)
class TestKeyCases
{
    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(MysqlServer.builder()
            .extension(true)
            .keyring()
            .option("show_gipk_in_create_table_and_information_schema", "OFF")
            .option("default_time_zone", "+05:30")
            .start());
    private final Random random = Seed.random();
    private final List<String> lines = new ArrayList<>();

    @BeforeAll
    void createSchema()
    {
        cluster.mysql().execute("CREATE SCHEMA s");
    }

    static List<KeyCase> cases()
    {
        return Stream.of(KeyTypes.all(), KeyShapes.all(), KeyShapes.partitioned()).flatMap(List::stream).toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void testEachRowOnce(KeyCase key)
    {
        key.create(cluster.mysql(), "s.t", random);
        MaterializedResultWithPlan scan = cluster.queryWithId("SELECT n FROM mysql_pq.s.t");
        BitSet seen = new BitSet();
        scan.result().getMaterializedRows().forEach(row -> {
            int n = (int) row.getField(0);
            assertThat(seen.get(n)).as("row %s was read twice", n).isFalse();
            seen.set(n);
        });
        assertThat(seen.cardinality()).isEqualTo(KeyCase.ROWS);
        long splits = cluster.scanCount(scan.queryId(), "splitsRead");
        assertThat(splits).isBetween(key.hasRanges() ? 6L : 1L, key.hasRanges() ? 40L : 1L);
        lines.add(KeyTypesPage.line(cluster.mysql(), key, splits));
    }

    @AfterAll
    void assertPageIsUpToDate()
    {
        cluster.mysql().assertErrorLogClean();
        // A run of some cases only says nothing of the page.
        if (lines.size() == cases().size()) {
            KeyTypesPage.check(lines);
        }
    }
}
