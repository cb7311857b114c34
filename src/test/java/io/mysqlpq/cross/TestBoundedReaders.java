package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.MysqlPqPlugin;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Asks Trino what it knows of the memory of readers, which hold little of a large table. */
@TestInstance(PER_CLASS)
class TestBoundedReaders
{
    private static final int ROWS = 60_000;
    private static final long TABLE_BYTES = ROWS * 1000L;

    private MysqlServer mysql;
    private DistributedQueryRunner trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, w INT NOT NULL, v VARCHAR(1000) NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT i, 0, REPEAT(CHAR(97 + i %% 26), 1000) FROM s".formatted(ROWS),
                "ANALYZE TABLE s.t");
        trino = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("s").build())
                .setWorkerCount(0)
                .build();
        trino.installPlugin(new MysqlPqPlugin());
        trino.createCatalog("mysql_pq", "mysql_pq", Map.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "range-source", "EXTENSION",
                "target-rows-per-split", String.valueOf(ROWS / 2)));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    /** As Trino counts it, of the operator that holds the reader. */
    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "false, false"})
    void testMemoryOfRows(boolean natively, boolean packets)
    {
        Session session = Session.builder(trino.getDefaultSession())
                .setCatalogSessionProperty("mysql_pq", "native_scan_enabled", String.valueOf(natively))
                .setCatalogSessionProperty("mysql_pq", "packet_decoding_enabled", String.valueOf(packets))
                .build();
        // A page of it at least, and never the table.
        assertThat(memoryOfScan(session, "SELECT max(length(v)), count(*) FROM t WHERE w >= 0")).isBetween(100_000L, TABLE_BYTES / 3);
    }

    @Test
    void testMemoryOfMergedGroups()
    {
        Session session = Session.builder(trino.getDefaultSession())
                .setCatalogSessionProperty("mysql_pq", "native_scan_enabled", "false")
                .setCatalogSessionProperty("mysql_pq", "target_rows_per_split", String.valueOf(ROWS / 8))
                .build();
        // 60,000 groups with a key and a count each.
        assertThat(memoryOfScan(session, "SELECT k % 20000, c FROM (SELECT w + k AS k, count(*) AS c FROM t GROUP BY w + k)")).isGreaterThan(100_000L);
    }

    private long memoryOfScan(Session session, String sql)
    {
        QueryId query = trino.executeWithPlan(session, sql).queryId();
        return trino.getCoordinator().getFullQueryInfo(query).getQueryStats().getOperatorSummaries().stream()
                .filter(operator -> operator.getOperatorType().contains("Scan"))
                .mapToLong(operator -> operator.getPeakUserMemoryReservation().toBytes())
                .max()
                .orElseThrow();
    }
}
