package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills donors and readers, tries to uninstall under them, and sets limits that few snapshots keep.
 */
final class StressSnapshotAdmin
        extends StressWorker
{
    StressSnapshotAdmin(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped)
    {
        super(server, report, seed, stopped);
    }

    @Override
    void step()
            throws SQLException
    {
        LockSupport.parkNanos(random.nextInt(100_000_000));
        switch (random.nextInt(10)) {
            case 0 -> {
                tryExecute("uninstall", "UNINSTALL PLUGIN mysql_pq");
                tryExecute("install", "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            }
            case 1, 2 -> tryExecute("limit", "SET GLOBAL mysql_pq_snapshot_max_age = %s, GLOBAL mysql_pq_snapshot_grace = %s".formatted(oneOf(1, 1, 3600), oneOf(0, 1, 10)));
            case 3 -> tryExecute("limit", "SET GLOBAL mysql_pq_max_history_length = %s, GLOBAL mysql_pq_ddl_wait_limit = %s".formatted(oneOf(0, 0, 10, 100), oneOf(500, 500, 3_600_000)));
            case 4 -> tryExecute("limit", "SET GLOBAL mysql_pq_max_scans = %s, GLOBAL mysql_pq_max_snapshots = %s".formatted(oneOf(1, 2, 256), oneOf(1, 2, 256)));
            case 5 -> kill("KILL QUERY ");
            case 6 -> kill("KILL ");
            default -> {
                // Leaves the snapshots alone.
            }
        }
    }

    private void kill(String how)
            throws SQLException
    {
        String victim = value("""
                SELECT MAX(id) FROM (
                  SELECT id FROM performance_schema.processlist
                  WHERE id IN (SELECT processlist_id FROM performance_schema.threads JOIN performance_schema.events_transactions_current USING (thread_id)
                               WHERE access_mode = 'READ ONLY' AND state = 'ACTIVE' AND autocommit = 'NO')
                  ORDER BY RAND() LIMIT 1) v""");
        if (victim != null) {
            tryExecute(how.strip(), how + victim);
        }
    }
}
