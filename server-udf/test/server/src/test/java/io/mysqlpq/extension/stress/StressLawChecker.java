package io.mysqlpq.extension.stress;

import io.mysqlpq.extension.RangePlan;
import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plans a table that writers churn, and checks that each untouched row lies in exactly one range.
 */
final class StressLawChecker
        extends StressWorker
{
    StressLawChecker(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped)
    {
        super(server, report, seed, stopped);
    }

    @Override
    void step()
            throws SQLException
    {
        // The check is dear; most of the time must be left to others.
        LockSupport.parkNanos(50_000_000);
        try {
            check(value("SELECT mysql_pq_ranges('s', 'stable', '%s', 16)".formatted(oneOf("PRIMARY", "i"))));
        }
        catch (SQLException e) {
            // Uninstalled, killed or disabled at this moment.
            assertThat(e.getErrorCode()).as(e.getMessage()).isIn(1046, 1122, 1317, 3200);
            report.error("law", e);
        }
    }

    private void check(String reply)
            throws SQLException
    {
        String once = String.join(" + ", RangePlan.parse(reply).predicates());
        assertThat(value("SELECT COUNT(*) FROM s.stable WHERE stable = 1 AND (%s) = 1".formatted(once))).isEqualTo("5000");
        report.count("law checked");
    }
}
