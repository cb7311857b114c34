package io.mysqlpq.trino.planning;

import com.google.inject.Inject;
import io.mysqlpq.trino.cells.DriverPackets;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.planning.RangePlan.OneSplit;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.server.TableKey.Shape;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LongSummaryStatistics;
import java.util.Optional;

import static io.mysqlpq.trino.planning.OneSplitReason.KEY_NOT_READABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.KEY_WITHOUT_RANGES;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_PRIMARY_KEY;
import static io.mysqlpq.trino.planning.RangeSource.SQL;
import static io.mysqlpq.trino.server.TableKey.Shape.PARTITIONED_TABLE;
import static java.util.Objects.requireNonNull;

/** Cuts the index that was chosen for a scan, with ranges from the source that the session asks for. */
final class CutPlanner
{
    // A row that is looked up costs MySQL more than a row that is read in order. Reading in parallel has to gain more than that.
    private static final int FEWEST_SHARES = 4;

    private final ExtensionRangePlanner extensionRanges;
    private final SqlRangePlanner sqlRanges;
    private final HypergraphOptimizer hypergraphOptimizer;
    private final FallbackReporter fallbacks;

    @Inject
    CutPlanner(ExtensionRangePlanner extensionRanges, SqlRangePlanner sqlRanges, HypergraphOptimizer hypergraphOptimizer, FallbackReporter fallbacks)
    {
        this.extensionRanges = requireNonNull(extensionRanges, "extensionRanges is null");
        this.sqlRanges = requireNonNull(sqlRanges, "sqlRanges is null");
        this.hypergraphOptimizer = requireNonNull(hypergraphOptimizer, "hypergraphOptimizer is null");
        this.fallbacks = requireNonNull(fallbacks, "fallbacks is null");
    }

    /** @throws ExtensionUnavailableException if the table has no ranges by any index */
    RangePlan plan(ConnectorSession session, Connection connection, JdbcTableHandle table, TableKey key, Cut cut, PlanningOptions options)
            throws SQLException, ExtensionUnavailableException
    {
        // Where nothing keeps DDL out, MySQL may answer about partitions that have other rows by now.
        Optional<PartitionNames> partitions = options.snapshotMode() == SnapshotMode.NONE ? Optional.empty() : cut.partitions();
        RangePlan plan = cut(session, connection, table, key, cut, partitions, options);
        return options.hypergraphOptimizer() && !mayBeReadNatively(table, cut, options) && plan instanceof RangePlan.Ranges ranges && hypergraphOptimizer.reads(session, connection, table, ranges)
                ? ranges.readByHypergraphOptimizer()
                : plan;
    }

    /** Whether the extension reads the rows, as far as the types of columns and filters tell. */
    static boolean mayBeReadNatively(JdbcTableHandle table, Cut cut, PlanningOptions options)
    {
        return options.nativeScans()
                && (cut.index().isOfRowIds() || (cut.index().isWholePrimaryKey() && NativeTable.reads(table, ReadColumns.of(table))));
    }

    /**
     * Cuts a table by the ids that InnoDB gives its rows.
     *
     * @param scanned the table as workers know it, without the dynamic filters that are known so far
     * @return empty unless the extension reads all of the rows
     */
    Optional<RangePlan> planByRowIds(ConnectorSession session, Connection connection, JdbcTableHandle table, JdbcTableHandle scanned, Shape shape, Optional<PartitionNames> partitions, PlanningOptions options)
            throws SQLException, ExtensionUnavailableException
    {
        Optional<ScannedRows> rows = RowIds.rows(scanned, options);
        if (rows.isEmpty() || !DriverPackets.areReadable(connection)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ranges(session, connection, ScannedIndex.ofRowIds(table, rows.get()), shape, partitions, options, false));
        }
        catch (ExtensionUnavailableException e) {
            return switch (e.fallbackCause()) {
                // The table may still be read by other ranges.
                case UNSUPPORTED_KEY, UNKNOWN_ENCODING, NO_INDEX, ACCESS_DENIED, REPLY_TOO_LARGE, SCAN_REFUSED -> {
                    fallbacks.report(session, table.getRequiredNamedRelation().getRemoteTableName(), e, "without ranges of row ids");
                    yield Optional.empty();
                }
                case NOT_INSTALLED, DISABLED, UNKNOWN_PROTOCOL, TABLE_UNUSABLE, LOCK_WAIT_TIMEOUT, SNAPSHOT_REFUSED -> throw e;
            };
        }
    }

    private RangePlan ranges(ConnectorSession session, Connection connection, ScannedIndex scanned, Shape shape, Optional<PartitionNames> partitions, PlanningOptions options, boolean natively)
            throws SQLException, ExtensionUnavailableException
    {
        return shape == PARTITIONED_TABLE
                ? extensionRanges.planPartitions(session, connection, scanned, options, partitions)
                : extensionRanges.plan(session, connection, scanned, options, natively);
    }

    private RangePlan cut(ConnectorSession session, Connection connection, JdbcTableHandle table, TableKey key, Cut cut, Optional<PartitionNames> partitions, PlanningOptions options)
            throws SQLException, ExtensionUnavailableException
    {
        RangePlan plan = plan(session, connection, table, key.shape(), cut.index(), partitions, options, mayBeReadNatively(table, cut, options));
        return switch (cut.purpose()) {
            case ROWS, FILTER -> plan;
            case COVERING -> isWithoutRanges(plan) && key.clustered().isPresent()
                    ? plan(session, connection, table, key.shape(), key.clustered().get(), partitions, options, false)
                    : plan;
            case LOOKUPS -> isSkewed(plan) ? OneSplit.because(NO_PRIMARY_KEY) : plan;
        };
    }

    private static boolean isWithoutRanges(RangePlan plan)
    {
        return plan instanceof OneSplit(OneSplitReason reason, _) && (reason == KEY_WITHOUT_RANGES || reason == KEY_NOT_READABLE);
    }

    // The largest range takes as long as the scan. In an index with few values or many NULLs it has most of the table.
    private static boolean isSkewed(RangePlan plan)
    {
        if (!(plan instanceof RangePlan.Ranges ranges)) {
            return false;
        }
        LongSummaryStatistics rows = ranges.ranges().stream().mapToLong(range -> range.estimatedRows().orElse(1)).summaryStatistics();
        return rows.getMax() > rows.getSum() / FEWEST_SHARES;
    }

    private RangePlan plan(ConnectorSession session, Connection connection, JdbcTableHandle table, Shape shape, TableIndex index, Optional<PartitionNames> partitions, PlanningOptions options, boolean natively)
            throws SQLException, ExtensionUnavailableException
    {
        ScannedIndex scanned = ScannedIndex.of(table, index);
        if (options.rangeSource() == SQL) {
            return sqlRanges.plan(session, connection, scanned, options);
        }
        try {
            return ranges(session, connection, scanned, shape, partitions, options, natively);
        }
        catch (ExtensionUnavailableException e) {
            if (options.isSqlInstead(e.fallbackCause())) {
                fallbacks.report(session, table.getRequiredNamedRelation().getRemoteTableName(), e, "by ranges from SQL");
                return sqlRanges.plan(session, connection, scanned, options);
            }
            if (index.clustered()) {
                throw e;
            }
            return OneSplit.because(refusal(e));
        }
    }

    // A problem of one index says nothing of the others.
    private static OneSplitReason refusal(ExtensionUnavailableException exception)
            throws ExtensionUnavailableException
    {
        return switch (exception.fallbackCause()) {
            case UNSUPPORTED_KEY, UNKNOWN_ENCODING, NO_INDEX -> KEY_WITHOUT_RANGES;
            case ACCESS_DENIED -> KEY_NOT_READABLE;
            case NOT_INSTALLED, DISABLED, UNKNOWN_PROTOCOL, TABLE_UNUSABLE, REPLY_TOO_LARGE, LOCK_WAIT_TIMEOUT, SNAPSHOT_REFUSED, SCAN_REFUSED -> throw exception;
        };
    }
}
