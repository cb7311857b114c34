package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Inserts and deletes rows, so that pages split and merge.
 */
final class StressWriter
        extends StressWorker
{
    StressWriter(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped)
    {
        super(server, report, seed, stopped);
    }

    @Override
    void step()
            throws SQLException
    {
        int from = random.nextInt(100_000);
        String table = random.nextBoolean() ? StressTables.CHURNED : StressTables.WRITTEN.get(random.nextInt(StressTables.WRITTEN.size()));
        tryExecute("write", switch (random.nextInt(6)) {
            case 0 -> "INSERT IGNORE INTO s.stable %s SELECT FLOOR(RAND() * 5000000), LEFT(SHA2(RAND(), 256), 32), 0 FROM s".formatted(StressTables.ROWS.formatted(200));
            case 1 -> "DELETE FROM s.stable WHERE stable = 0 AND k > %s LIMIT 300".formatted(from * 50L);
            case 2 -> StressTables.fill(table, 300);
            case 3 -> "DELETE FROM s.%s WHERE k BETWEEN %s AND %s".formatted(table, from, from + 5_000);
            case 4 -> "UPDATE s.%s SET n = NULLIF(n + 1, 50), v = CONCAT(LEFT(v, 20), 'y'), x = IF(n %% 10 = 0, REPEAT(LEFT(x, 1), 30000), x) WHERE k BETWEEN %s AND %s".formatted(table, from, from + 1_000);
            default -> StressTables.fill("parts", 100);
        });
    }
}
