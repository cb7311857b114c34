package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.planning.RangePlan.OneSplit;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey.Shape;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.planning.OneSplitReason.KEY_NOT_READABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.KEY_WITHOUT_RANGES;
import static io.mysqlpq.trino.planning.RangeSource.SQL;
import static io.mysqlpq.trino.server.TableKey.Shape.PARTITIONED_TABLE;
import static java.util.Objects.requireNonNull;

/** Cuts the index that was chosen for a scan, by the source that the session wishes for. */
final class CutPlanner
{
    private final ExtensionRangePlanner extensionRanges;
    private final SqlRangePlanner sqlRanges;
    private final FallbackReporter fallbacks;

    @Inject
    CutPlanner(ExtensionRangePlanner extensionRanges, SqlRangePlanner sqlRanges, FallbackReporter fallbacks)
    {
        this.extensionRanges = requireNonNull(extensionRanges, "extensionRanges is null");
        this.sqlRanges = requireNonNull(sqlRanges, "sqlRanges is null");
        this.fallbacks = requireNonNull(fallbacks, "fallbacks is null");
    }

    /** @throws ExtensionUnavailableException if the table has no ranges by any index */
    RangePlan plan(ConnectorSession session, Connection connection, JdbcTableHandle table, Shape shape, Cut cut, PlanningOptions options)
            throws SQLException, ExtensionUnavailableException
    {
        // Where DDL need not wait, MySQL could have been asked about partitions that have other rows by now.
        Optional<PartitionNames> partitions = options.snapshotMode() == SnapshotMode.NONE ? Optional.empty() : cut.partitions();
        RangePlan plan = plan(session, connection, table, shape, cut.index(), partitions, options);
        // Of the index that holds the rows there may be ranges all the same.
        return isWithoutRanges(plan) && cut.instead().isPresent()
                ? plan(session, connection, table, shape, cut.instead().get(), partitions, options)
                : plan;
    }

    private static boolean isWithoutRanges(RangePlan plan)
    {
        return plan instanceof OneSplit(OneSplitReason reason, _) && (reason == KEY_WITHOUT_RANGES || reason == KEY_NOT_READABLE);
    }

    private RangePlan plan(ConnectorSession session, Connection connection, JdbcTableHandle table, Shape shape, TableIndex index, Optional<PartitionNames> partitions, PlanningOptions options)
            throws SQLException, ExtensionUnavailableException
    {
        ScannedIndex scanned = ScannedIndex.of(table, index);
        if (options.rangeSource() == SQL) {
            return sqlRanges.plan(session, connection, scanned, options);
        }
        try {
            return shape == PARTITIONED_TABLE
                    ? extensionRanges.planPartitions(session, connection, scanned, options, partitions)
                    : extensionRanges.plan(session, connection, scanned, options);
        }
        catch (ExtensionUnavailableException e) {
            if (AccessPath.isSqlInstead(options, e.fallbackCause())) {
                fallbacks.report(session, table.getRequiredNamedRelation().getRemoteTableName(), e, "by ranges from SQL");
                return sqlRanges.plan(session, connection, scanned, options);
            }
            if (index.clustered()) {
                throw e;
            }
            return OneSplit.because(refusal(e));
        }
    }

    // What is wrong with one index says nothing of the others.
    private static OneSplitReason refusal(ExtensionUnavailableException exception)
            throws ExtensionUnavailableException
    {
        return switch (exception.fallbackCause()) {
            case UNSUPPORTED_KEY, UNKNOWN_ENCODING, NO_INDEX -> KEY_WITHOUT_RANGES;
            case ACCESS_DENIED -> KEY_NOT_READABLE;
            case NOT_INSTALLED, DISABLED, UNKNOWN_PROTOCOL, TABLE_UNUSABLE, REPLY_TOO_LARGE, LOCK_WAIT_TIMEOUT, SNAPSHOT_REFUSED -> throw exception;
        };
    }
}
