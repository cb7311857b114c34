package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Objects;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Compares SHOW STATS with counts that Trino makes of the rows themselves. */
@TestInstance(PER_CLASS)
class TestTableStatistics
{
    private static final int DISTINCT_VALUES = 2;
    private static final int NULL_FRACTION = 3;
    private static final int ROW_COUNT = 4;

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(false).start();
        mysql.execute(
                "CREATE DATABASE test",
                """
                CREATE TABLE test.orders (orderkey BIGINT, custkey BIGINT, orderstatus CHAR(1), orderpriority VARCHAR(20), totalprice DECIMAL(12, 2), orderdate DATE, required INT NOT NULL)
                STATS_SAMPLE_PAGES = 1000""");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("parallel-reads-enabled", "false"));
        trino.execute("""
                INSERT INTO orders SELECT o_orderkey, if(o_orderkey % 3 = 0, NULL, o_custkey), o_orderstatus, if(o_orderkey % 5 = 0, NULL, o_orderpriority), o_totalprice, o_orderdate, 1
                FROM tpch.tiny.orders""");
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    private void copyOrders(String table, String... changes)
    {
        mysql.execute("DROP TABLE IF EXISTS test." + table, "CREATE TABLE test.%s LIKE test.orders".formatted(table), "INSERT INTO test.%s SELECT * FROM test.orders".formatted(table));
        mysql.execute(changes);
    }

    @Test
    void testNothingAnalyzed()
    {
        copyOrders("plain", "ANALYZE TABLE test.plain");
        assertThat(rowCount("plain")).isCloseTo(15_000.0, withinPercentage(20));
        for (String column : List.of("orderkey", "custkey", "orderstatus")) {
            assertThat(statistic("plain", column, DISTINCT_VALUES)).isNull();
            assertThat(statistic("plain", column, NULL_FRACTION)).isNull();
        }
        assertThat(statistic("plain", "required", NULL_FRACTION)).isEqualTo(0.0);
    }

    @Test
    void testHistograms()
    {
        copyOrders(
                "analyzed",
                "SET SESSION histogram_generation_max_mem_size = 100000000",
                "ANALYZE TABLE test.analyzed",
                // A histogram of few values is singleton, and one of many is equi-height.
                "ANALYZE TABLE test.analyzed UPDATE HISTOGRAM ON orderkey, custkey, orderstatus, orderpriority, totalprice, orderdate WITH 100 BUCKETS");
        assertThat(histogramTypes("analyzed")).contains("singleton").contains("equi-height");
        for (String column : List.of("orderkey", "custkey", "orderstatus", "orderpriority", "totalprice", "orderdate")) {
            MaterializedRow counts = trino.execute("SELECT CAST(count(DISTINCT %s) AS double), 1 - CAST(count(%1$s) AS double) / count(*) FROM analyzed".formatted(column)).getMaterializedRows().getFirst();
            assertThat(statistic("analyzed", column, DISTINCT_VALUES)).as(column).isEqualTo((Double) counts.getField(0));
            assertThat(statistic("analyzed", column, NULL_FRACTION)).as(column).isCloseTo((double) counts.getField(1), within(1e-9));
        }
        assertThat(rowCount("analyzed")).isCloseTo(15_000.0, withinPercentage(20));
    }

    private String histogramTypes(String table)
    {
        return trino.execute("""
                SELECT types FROM TABLE(system.query('SELECT GROUP_CONCAT(DISTINCT histogram->>''$."histogram-type"'') AS types FROM information_schema.column_statistics WHERE table_name = ''%s'''))""".formatted(table)).getOnlyValue().toString();
    }

    @Test
    void testIndexes()
    {
        copyOrders(
                "indexed",
                "ALTER TABLE test.indexed ADD PRIMARY KEY (orderkey), ADD KEY (custkey), ADD KEY (orderstatus, orderdate), ADD KEY (orderpriority(3)), ADD KEY ((totalprice + 1))",
                "ANALYZE TABLE test.indexed");
        assertThat(statistic("indexed", "orderkey", DISTINCT_VALUES)).isCloseTo(15_000.0, withinPercentage(20));
        assertThat(statistic("indexed", "orderkey", NULL_FRACTION)).isEqualTo(0.0);
        assertThat(statistic("indexed", "custkey", DISTINCT_VALUES)).isCloseTo(1000, withinPercentage(20));
        assertThat(statistic("indexed", "orderstatus", DISTINCT_VALUES)).isEqualTo(3.0);
        // The cardinality of a column in second place, of a part of a column, and of an expression means something else.
        for (String column : List.of("orderdate", "orderpriority", "totalprice")) {
            assertThat(statistic("indexed", column, DISTINCT_VALUES)).as(column).isNull();
        }
    }

    // MySQL renews what it knows of an index by itself.
    @Test
    void testIndexBeforeHistogram()
    {
        copyOrders(
                "both",
                "ANALYZE TABLE test.both UPDATE HISTOGRAM ON custkey, required WITH 10 BUCKETS",
                "UPDATE test.both SET custkey = orderkey, required = orderkey",
                "ALTER TABLE test.both ADD KEY (custkey)",
                "ANALYZE TABLE test.both");
        assertThat(statistic("both", "custkey", DISTINCT_VALUES)).isCloseTo(15_000.0, withinPercentage(25));
        assertThat(statistic("both", "required", DISTINCT_VALUES)).isEqualTo(1.0);
    }

    // The dictionary would repeat the first answer for a day.
    @Test
    void testRowCountOfAGrowingTable()
    {
        copyOrders("growing", "TRUNCATE TABLE test.growing");
        assertThat(rowCount("growing")).isEqualTo(0.0);
        mysql.execute("INSERT INTO test.growing SELECT * FROM test.orders");
        assertThat(rowCount("growing")).isCloseTo(15_000.0, withinPercentage(20));
        mysql.execute("INSERT INTO test.growing SELECT * FROM test.orders", "INSERT INTO test.growing SELECT * FROM test.orders");
        assertThat(rowCount("growing")).isCloseTo(45_000.0, withinPercentage(20));
    }

    @Test
    void testPartitionedTable()
    {
        copyOrders(
                "partitioned",
                "ALTER TABLE test.partitioned ADD KEY (orderstatus) PARTITION BY HASH (orderkey) PARTITIONS 4",
                "ANALYZE TABLE test.partitioned",
                "ANALYZE TABLE test.partitioned UPDATE HISTOGRAM ON orderpriority");
        assertThat(rowCount("partitioned")).isCloseTo(15_000.0, withinPercentage(20));
        assertThat(statistic("partitioned", "orderstatus", DISTINCT_VALUES)).isBetween(1.0, 12.0);
        assertThat(statistic("partitioned", "orderpriority", DISTINCT_VALUES)).isEqualTo(5.0);
    }

    @Test
    void testView()
    {
        mysql.execute("CREATE VIEW test.seen AS SELECT * FROM test.orders");
        assertThat(rowCount("seen")).isNull();
        assertThat(statistic("seen", "required", NULL_FRACTION)).isNull();
    }

    @Test
    void testDisabled()
    {
        trino.runner().createCatalog("unknowing", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "statistics.enabled", "false"));
        assertThat(rowCount("unknowing.test.orders")).isNull();
        assertThat(rowCount("orders")).isNotNull();
    }

    // Null is SHOW STATS' row of the table.
    private Double rowCount(String table)
    {
        return statistic(table, null, ROW_COUNT);
    }

    private Double statistic(String table, String column, int field)
    {
        return (Double) trino.execute("SHOW STATS FOR " + table).getMaterializedRows().stream()
                .filter(row -> Objects.equals(row.getField(0), column))
                .collect(onlyElement())
                .getField(field);
    }
}
