package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Repeats transactions that have to do with a snapshot, which others end at any moment.
 */
abstract class StressSnapshotWorker
        extends StressWorker
{
    protected final SnapshotOffers offers;

    StressSnapshotWorker(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped, SnapshotOffers offers)
    {
        super(server, report, seed, stopped);
        this.offers = offers;
    }

    interface Transaction
    {
        void run()
                throws SQLException;
    }

    @Override
    final boolean mayBeKilled()
    {
        return true;
    }

    protected final void attempt(String who, Transaction transaction)
            throws SQLException
    {
        try {
            transaction.run();
        }
        catch (SQLException e) {
            SnapshotOffers.assertDocumented(e);
            report.error(who, e);
            // Leaves time for a plugin to come back.
            LockSupport.parkNanos(5_000_000);
        }
        execute(oneOf("COMMIT", "ROLLBACK", "START TRANSACTION READ ONLY"));
    }
}
