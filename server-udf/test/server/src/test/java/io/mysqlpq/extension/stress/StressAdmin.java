package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Tries to install and uninstall, kills queries, and turns the extension off and on.
 */
final class StressAdmin
        extends StressWorker
{
    StressAdmin(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped)
    {
        super(server, report, seed, stopped);
    }

    @Override
    void step()
            throws SQLException
    {
        // Most of the time must be left to callers.
        LockSupport.parkNanos(random.nextInt(30_000_000));
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
                tryExecute("uninstall", "UNINSTALL PLUGIN mysql_pq");
                tryExecute("install", "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            }
            case 3 -> {
                tryExecute("disable", "SET GLOBAL mysql_pq_enabled = OFF");
                tryExecute("enable", "SET GLOBAL mysql_pq_enabled = ON");
            }
            case 4 -> tryExecute("limit", "SET GLOBAL mysql_pq_max_ranges = " + oneOf(1, 10, 4096));
            default -> killOneQuery();
        }
    }

    private void killOneQuery()
            throws SQLException
    {
        String victim = value("SELECT MAX(id) FROM (SELECT id FROM performance_schema.processlist WHERE info LIKE 'SELECT mysql_pq%' ORDER BY RAND() LIMIT 1) v");
        if (victim != null) {
            tryExecute("kill", "KILL QUERY " + victim);
        }
    }
}
