package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares native scans of random tables with MySQL's own SQL, as many as there is time for. A failure names the seed of its table.
 */
@Tag("stress")
class TestRandomScans
{
    private static final int REQUESTS_OF_TABLE = 100;

    @Test
    void testRandomScans()
    {
        long seed = Seed.draw();
        long nanos = TimeUnit.SECONDS.toNanos(Long.getLong("pq.stress.seconds", 40));
        long start = System.nanoTime();
        Random random = new Random(seed);
        long comparisons = 0;
        try (MysqlServer server = MysqlServer.builder().extension(true).option("innodb-buffer-pool-size", "256M").start()) {
            // Several texts of expressions may each be as long as a column.
            server.execute("SET GLOBAL mysql_pq_scan_memory = 256 << 20");
            while (System.nanoTime() - start < nanos) {
                long ofTable = comparisons == 0 ? seed : random.nextLong();
                try {
                    comparisons += new RandomScans(server, ofTable).compare(REQUESTS_OF_TABLE);
                }
                catch (AssertionError e) {
                    throw new AssertionError("seed %s: %s".formatted(ofTable, e.getMessage()), e);
                }
            }
            server.assertErrorLogClean();
        }
        // A difference would have ended the test.
        System.out.printf(Locale.ROOT, "Reliability: random scans seed %d minutes %.2f queries %d differences 0%n", seed, (System.nanoTime() - start) / 60e9, comparisons);
        assertThat(comparisons).isPositive();
    }
}
