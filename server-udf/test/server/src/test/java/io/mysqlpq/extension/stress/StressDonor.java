package io.mysqlpq.extension.stress;

import io.mysqlpq.extension.RangePlan;
import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Locks a table, exports a snapshot and ends it in some way, or leaves that to the watch.
 */
final class StressDonor
        extends StressSnapshotWorker
{
    StressDonor(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped, SnapshotOffers offers)
    {
        super(server, report, seed, stopped, offers);
    }

    @Override
    void step()
            throws SQLException
    {
        attempt("donor", () -> donate(oneOf(SnapshotOffers.TABLES.toArray(String[]::new))));
    }

    private void donate(String table)
            throws SQLException
    {
        execute("START TRANSACTION READ ONLY");
        execute("SELECT 1 FROM s.%s LIMIT 0".formatted(table));
        String token = RangePlan.json(value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
        offers.put(new SnapshotOffers.Offer(token, table, value(SnapshotOffers.state(table))));
        report.count("snapshot exported");
        // Mostly short, else DDL gets no turn; sometimes longer than the smallest age limit.
        LockSupport.parkNanos(random.nextInt(20) == 0 ? 3_000_000_000L : random.nextInt(100_000_000));
        value("SELECT mysql_pq_snapshot_verify('%s')".formatted(token));
        report.count("snapshot verified by its donor");
    }
}
