package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.planning.RangePlan.OneSplit;
import io.mysqlpq.trino.planning.sql.SqlPlan;
import io.mysqlpq.trino.planning.sql.SqlRanges;
import io.mysqlpq.trino.planning.sql.SqlRangesRequest;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.planning.OneSplitReason.KEY_NOT_READABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.KEY_WITHOUT_RANGES;
import static io.mysqlpq.trino.planning.OneSplitReason.SMALL_TABLE;
import static java.util.Objects.requireNonNull;

/** Plans ranges of one index by plain SQL. */
final class SqlRangePlanner
{
    private final SqlRanges sqlRanges;

    @Inject
    SqlRangePlanner(SqlRanges sqlRanges)
    {
        this.sqlRanges = requireNonNull(sqlRanges, "sqlRanges is null");
    }

    RangePlan plan(ConnectorSession session, Connection connection, ScannedIndex scanned, PlanningOptions options)
            throws SQLException
    {
        SqlRangesRequest request = new SqlRangesRequest(scanned.schema(), scanned.table(), scanned.index().name(), scanned.part(), options.targetRowsPerSplit(), options.maxRanges());
        try {
            Optional<SqlPlan> plan = sqlRanges.plan(session, connection, request);
            if (plan.isEmpty()) {
                return OneSplit.because(KEY_WITHOUT_RANGES);
            }
            RangePlan.Ranges ranges = RangePlan.Ranges.of(plan.get());
            return ranges.ranges().size() == 1 || ranges.isSmallerThan(options.minRows()) ? OneSplit.because(SMALL_TABLE) : ranges;
        }
        catch (SQLException e) {
            if (!MysqlError.isPrivilegeMissing(e)) {
                throw e;
            }
            return OneSplit.because(KEY_NOT_READABLE);
        }
    }
}
