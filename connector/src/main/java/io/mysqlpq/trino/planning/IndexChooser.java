package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.planning.IndexChoice.Purpose;
import io.mysqlpq.trino.planning.IndexChoice.Whole;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.server.TableKey;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.Comparator;
import java.util.Optional;

import static io.mysqlpq.trino.planning.ExtensionRangePlanner.FEWEST_ROWS_OF_NATIVE_SCAN;
import static io.mysqlpq.trino.planning.IndexChoice.Purpose.COVERING;
import static io.mysqlpq.trino.planning.IndexChoice.Purpose.FILTER;
import static io.mysqlpq.trino.planning.IndexChoice.Purpose.LOOKUPS;
import static io.mysqlpq.trino.planning.IndexChoice.Purpose.ROWS;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_PRIMARY_KEY;
import static io.mysqlpq.trino.planning.OneSplitReason.POINT_LOOKUP;
import static io.mysqlpq.trino.planning.OneSplitReason.SELECTIVE_INDEX;

/**
 * Chooses the index that a scan is cut by: the index by which MySQL itself would read it. All ranges of another index together could cost
 * many times MySQL's own plan.
 */
final class IndexChooser
{
    // A table that fills the pool would push out what others read. Each row that an index leads to is a descent of the tree of rows. In memory that
    // is little beside sending the row. From disk it is a page for each row, many times the cost of reading the rows in their order.
    private static final double POOL_SHARE_FOR_LOOKUPS = 0.25;
    // A larger table is mostly read sooner by an index, which takes less to read from disk.
    private static final double POOL_SHARE_FOR_NATIVE_SCANS = 0.5;

    private static final Comparator<TableIndex> BEST_CUT_LAST = Comparator.comparing(TableIndex::unique)
            .thenComparing(index -> !index.isNullable())
            .thenComparingInt(index -> index.columns().size());

    private IndexChooser()
    {}

    /** Asks MySQL only where the table's indexes and partitions leave a choice. */
    static IndexChoice choose(QueryScans scans, JdbcTableHandle table, TableKey key, PlanningOptions options)
    {
        if (key.indexes().stream().anyMatch(index -> index.unique() && ScannedIndex.isPointLookup(table, index))) {
            return Whole.because(POINT_LOOKUP);
        }
        ScanNeeds needs = ScanNeeds.of(table);
        Optional<ExplainedScan> scan = needs.leaveChoice(key) ? Optional.of(scans.explain(table)) : Optional.empty();
        Optional<IndexChoice> chosen = scan.flatMap(explained -> ofMysql(key, needs, options, explained));
        Optional<TableIndex> ofRows = key.clustered().or(() -> RowIds.rows(table, options).map(_ -> TableIndex.ofRowIds()));
        boolean atAnyCost = chosen.isPresent() && chosen.get() instanceof Whole(OneSplitReason reason, _) && reason == POINT_LOOKUP;
        if (chosen.isPresent() && (atAnyCost || !isBetterReadNatively(scans, table, key, options, ofRows, scan.get()))) {
            return chosen.get();
        }
        Optional<PartitionNames> partitions = scan.flatMap(ExplainedScan::partitionNames);
        return ofRows.isPresent()
                ? new Cut(ofRows.get(), partitions, ROWS)
                : ofRowsWithoutOrder(scans, table, key, partitions);
    }

    // Whether the index that holds the rows is read, though MySQL would use another one.
    private static boolean isBetterReadNatively(QueryScans scans, JdbcTableHandle table, TableKey key, PlanningOptions options, Optional<TableIndex> ofRows, ExplainedScan scan)
    {
        if (!options.nativeScans() || ofRows.filter(index -> index.isWholePrimaryKey() || index.isOfRowIds()).isEmpty() || !NativeTable.reads(table, ReadColumns.of(table))) {
            return false;
        }
        // A table of fewer rows is one split by SQL.
        long fewest = ofRows.get().isOfRowIds() ? options.targetRowsPerSplit() : FEWEST_ROWS_OF_NATIVE_SCAN;
        return scans.size(QueryScans.nameOf(table))
                .filter(size -> size.rows() > fewest && (size.isWithin(POOL_SHARE_FOR_NATIVE_SCANS)
                        ? NativeCost.isLess(size, scan)
                        : NativeCost.readsMorePages(size, scan, POOL_SHARE_FOR_NATIVE_SCANS) && areRowsAnywhere(scans, table, key, scan)))
                .isPresent();
    }

    // Rows that stand in about the order of the index share pages.
    private static boolean areRowsAnywhere(QueryScans scans, JdbcTableHandle table, TableKey key, ExplainedScan scan)
    {
        return key.clustered().isPresent() && scan.index().flatMap(key::index).filter(index -> scans.areRowsAnywhere(QueryScans.nameOf(table), key, index)).isPresent();
    }

    // Empty where MySQL would read all rows.
    private static Optional<IndexChoice> ofMysql(TableKey key, ScanNeeds needs, PlanningOptions options, ExplainedScan scan)
    {
        if (scan.isPointLookup()) {
            return Optional.of(Whole.because(POINT_LOOKUP));
        }
        Optional<TableIndex> index = scan.index().flatMap(key::index);
        boolean clustered = index.filter(TableIndex::clustered).isPresent();
        // A filter that leaves one range of keys is cut within it, so MySQL needs no other index.
        if (clustered && !needs.isOfKeysApart(key)) {
            return Optional.empty();
        }
        // MySQL takes a ninth of an index for what a skip scan reads. What a range of the rows' own key holds is known.
        if (scan.isSkipScan() && needs.isOneRangeOfKeys(key)) {
            return Optional.empty();
        }
        // If one split would be enough for the rows, one split reads them.
        if (!scan.isFullScan() && scan.rows() <= options.targetRowsPerSplit()) {
            return Optional.of(new Whole(SELECTIVE_INDEX, scan.index()));
        }
        return clustered ? Optional.empty() : index.flatMap(secondary -> purpose(scan).map(purpose -> new Cut(secondary, scan.partitionNames(), purpose)));
    }

    private static Optional<Purpose> purpose(ExplainedScan scan)
    {
        if (scan.isCovering()) {
            return Optional.of(COVERING);
        }
        return scan.isIndexRange() ? Optional.of(FILTER) : Optional.empty();
    }

    private static IndexChoice ofRowsWithoutOrder(QueryScans scans, JdbcTableHandle table, TableKey key, Optional<PartitionNames> partitions)
    {
        Optional<TableIndex> best = key.secondary().stream().max(BEST_CUT_LAST);
        return best.isPresent() && scans.size(QueryScans.nameOf(table)).filter(size -> size.isWithin(POOL_SHARE_FOR_LOOKUPS)).isPresent()
                ? new Cut(best.get(), partitions, LOOKUPS)
                : Whole.because(NO_PRIMARY_KEY);
    }
}
