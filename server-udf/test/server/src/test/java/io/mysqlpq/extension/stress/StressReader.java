package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Adopts the last snapshot offered, and checks that what it reads there is what the donor saw.
 */
final class StressReader
        extends StressSnapshotWorker
{
    StressReader(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped, SnapshotOffers offers)
    {
        super(server, report, seed, stopped, offers);
    }

    @Override
    void step()
            throws SQLException
    {
        SnapshotOffers.Offer offer = offers.last();
        if (offer == null) {
            return;
        }
        execute("SET lock_wait_timeout = 1");
        attempt("reader", () -> read(offer));
    }

    private void read(SnapshotOffers.Offer offer)
            throws SQLException
    {
        execute(oneOf("START TRANSACTION READ ONLY", "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"));
        value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(offer.token()));
        String state = value(SnapshotOffers.state(offer.table()));
        if (random.nextInt(50) == 0) {
            // Long enough for the watch to find it idle.
            LockSupport.parkNanos(3_000_000_000L);
        }
        // Only what this proves counts.
        value("SELECT mysql_pq_snapshot_verify('%s')".formatted(offer.token()));
        assertThat(state).as(offer.toString()).isEqualTo(offer.state());
        report.count("snapshot read as its donor's");
    }
}
