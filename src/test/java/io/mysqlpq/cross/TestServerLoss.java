package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a MySQL server lost in mid-scan fails the query, and that the catalog works again after its restart.
 */
@TestInstance(PER_CLASS)
class TestServerLoss
{
    private static final String QUERY = "SELECT count(*) FROM mysql_pq.s.t WHERE slow + rand() > 0";

    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start());

    @BeforeAll
    void createTable()
    {
        cluster.mysql().execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v VARCHAR(1000))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 100000) SELECT i, REPEAT(LEFT(SHA2(i, 256), 32), 20) FROM s",
                // Computed anew for each row that is read: MySQL is at work on every range for long.
                "ALTER TABLE s.t ADD COLUMN slow BIGINT AS (CRC32(REPEAT(v, 1000)))");
    }

    @Test
    void testKilledServer()
    {
        CompletableFuture<Object> query = startScan();
        cluster.mysql().kill();
        assertScanFails(query);
        cluster.mysql().restart();
        assertWorksAgain();
    }

    @Test
    void testOrderlyShutdown()
    {
        CompletableFuture<Object> query = startScan();
        cluster.mysql().restart();
        assertScanFails(query);
        assertWorksAgain();
    }

    private CompletableFuture<Object> startScan()
    {
        CompletableFuture<Object> query = Background.supply(() -> cluster.query(QUERY));
        Await.until("MySQL runs range reads", () -> {
            assertThat(query).isNotDone();
            return rangeReads() > 0;
        });
        return query;
    }

    private static void assertScanFails(CompletableFuture<Object> query)
    {
        assertThatThrownBy(query::join).hasMessageContaining("s.t");
    }

    // The first query may still meet a connection that died with the old server.
    private void assertWorksAgain()
    {
        Await.until("the catalog works again", () -> {
            try {
                return cluster.query("SELECT count(*) FROM mysql_pq.s.t WHERE v LIKE '_%'").getOnlyValue().equals(100_000L);
            }
            catch (QueryFailedException e) {
                assertThat(e).hasMessageContaining("s.t");
                return false;
            }
        });
    }

    private int rangeReads()
    {
        return MysqlRows.read(cluster.mysql(), "SELECT id FROM performance_schema.processlist WHERE info LIKE '%FROM `s`.`t`%' AND id <> CONNECTION_ID()").size();
    }
}
