package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.planning.IndexChoice.Cut;
import io.mysqlpq.trino.planning.IndexChoice.Whole;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.IndexKey.ROW_IDS;
import static io.mysqlpq.trino.planning.OneSplitReason.LIMIT;
import static io.mysqlpq.trino.planning.OneSplitReason.NOT_A_TABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_RANGES_FROM_EXTENSION;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_SHARED_SNAPSHOT;
import static io.mysqlpq.trino.planning.OneSplitReason.PARALLEL_READS_OFF;
import static io.mysqlpq.trino.planning.OneSplitReason.POINT_LOOKUP;
import static io.mysqlpq.trino.planning.OneSplitReason.PUSHED_QUERY;
import static io.mysqlpq.trino.planning.OneSplitReason.RANGE_SOURCE_NONE;
import static io.mysqlpq.trino.planning.OneSplitReason.SNAPSHOT_PER_SCAN;
import static io.mysqlpq.trino.planning.RangeSource.AUTO;
import static io.mysqlpq.trino.planning.RangeSource.EXTENSION;
import static io.mysqlpq.trino.planning.RangeSource.SQL;
import static java.util.Objects.requireNonNull;

/**
 * Says how a scan will be read, as far as that is known before ranges are asked for: as one split, or by ranges of
 * an index if the table is large enough.
 *
 * @param index which is cut, or by which MySQL finds few rows
 * @param partitions how many of them are read, if the filter decides
 * @param source where ranges come from, if there are any
 * @param natively whether the extension reads the rows of the ranges, as far as types tell
 * @param fallbackCause why the extension gives none
 */
public record AccessPath(Optional<OneSplitReason> oneSplitReason, Optional<String> index, OptionalInt partitions, RangeSource source, boolean natively, Optional<FallbackCause> fallbackCause)
{
    public AccessPath
    {
        requireNonNull(oneSplitReason, "oneSplitReason is null");
        requireNonNull(index, "index is null");
        requireNonNull(partitions, "partitions is null");
        requireNonNull(source, "source is null");
        requireNonNull(fallbackCause, "fallbackCause is null");
        checkArgument(oneSplitReason.isPresent() || index.isPresent(), "ranges of no index");
        checkArgument(fallbackCause.isEmpty() || oneSplitReason.isPresent() || source != EXTENSION, "ranges from an extension that gives none: %s", fallbackCause);
    }

    private static AccessPath whole(OneSplitReason reason, Optional<String> index, Optional<FallbackCause> cause)
    {
        return new AccessPath(Optional.of(reason), index, OptionalInt.empty(), RangeSource.NONE, false, cause);
    }

    private static AccessPath ranges(Cut cut, RangeSource source, boolean natively, Optional<FallbackCause> cause)
    {
        OptionalInt partitions = cut.partitions().map(names -> OptionalInt.of(names.count())).orElseGet(OptionalInt::empty);
        return new AccessPath(Optional.empty(), Optional.of(cut.index().name()), partitions, source, natively, cause);
    }

    /**
     * Chooses without asking for ranges, so whether the table is too small for them stays open.
     *
     * @param pointLookup whether the scan is of one row at most
     * @param facts asked for only if the handle and the session leave the choice open
     * @param choice asked for only if the table could have ranges
     */
    public static AccessPath of(JdbcTableHandle table, PlanningOptions options, boolean pointLookup, Supplier<TableFacts> facts, BiFunction<TableKey, PlanningOptions, IndexChoice> choice)
    {
        Optional<OneSplitReason> whole = byHandle(table, options);
        if (whole.isPresent()) {
            return whole(whole.get(), Optional.empty(), Optional.empty());
        }
        if (pointLookup) {
            return whole(POINT_LOOKUP, Optional.empty(), Optional.empty());
        }
        TableKey key = facts.get().key();
        Optional<FallbackCause> cause = facts.get().fallbackCause();
        whole = byShape(key.shape());
        if (whole.isPresent()) {
            return whole(whole.get(), Optional.empty(), Optional.empty());
        }
        PlanningOptions possible = cause.isEmpty() && options.snapshotMode() != SnapshotMode.NONE ? options : options.withoutNativeScans();
        return switch (choice.apply(key, possible)) {
            case Whole(OneSplitReason reason, Optional<String> index) -> whole(reason, index, Optional.empty());
            case Cut cut -> bySource(cut, possible, possible.nativeScans() && isReadNatively(table, cut), cause);
        };
    }

    /** Whether the extension reads the rows, as far as the types of columns and filters tell. */
    static boolean isReadNatively(JdbcTableHandle table, Cut cut)
    {
        return cut.index().isOfRowIds() || (cut.index().isWholePrimaryKey() && NativeTable.reads(table, ReadColumns.of(table)));
    }

    private static AccessPath bySource(Cut cut, PlanningOptions options, boolean natively, Optional<FallbackCause> cause)
    {
        boolean snapshot = cause.isEmpty() || options.snapshotMode() == SnapshotMode.NONE;
        if (options.rangeSource() == SQL) {
            return snapshot ? ranges(cut, SQL, natively, Optional.empty()) : whole(NO_SHARED_SNAPSHOT, Optional.empty(), cause);
        }
        if (cause.isEmpty()) {
            return ranges(cut, EXTENSION, natively, cause);
        }
        return isSqlInstead(options, cause.get()) ? ranges(cut, SQL, false, cause) : whole(NO_RANGES_FROM_EXTENSION, Optional.empty(), cause);
    }

    /** Whether a session that gets no ranges from the extension is to have them by SQL. */
    static boolean isSqlInstead(PlanningOptions options, FallbackCause cause)
    {
        return options.rangeSource() == AUTO && options.snapshotMode() == SnapshotMode.NONE && cause.leavesTableReadable();
    }

    /** Why a scan is one split, if its handle and the session tell. */
    static Optional<OneSplitReason> byHandle(JdbcTableHandle table, PlanningOptions options)
    {
        if (!options.parallelReads()) {
            return Optional.of(PARALLEL_READS_OFF);
        }
        if (options.rangeSource() == RangeSource.NONE) {
            return Optional.of(RANGE_SOURCE_NONE);
        }
        if (options.snapshotMode() == SnapshotMode.PER_SCAN) {
            return Optional.of(SNAPSHOT_PER_SCAN);
        }
        if (!table.isNamedRelation()) {
            return Optional.of(PUSHED_QUERY);
        }
        return table.getLimit().isPresent() ? Optional.of(LIMIT) : Optional.empty();
    }

    /** Why a scan is one split, if what the table is tells. */
    static Optional<OneSplitReason> byShape(TableKey.Shape shape)
    {
        return switch (shape) {
            case VIEW, OTHER_ENGINE, UNKNOWN -> Optional.of(NOT_A_TABLE);
            case PARTITIONED_TABLE, INNODB_TABLE -> Optional.empty();
        };
    }

    /** What EXPLAIN shows. */
    @Override
    public String toString()
    {
        if (oneSplitReason.isEmpty()) {
            String ranges = "ranges of %s from %s".formatted(index.filter(name -> !name.equals(ROW_IDS)).map("index "::concat).orElse("row ids"), source)
                    + (partitions.isPresent() ? " in %s partitions".formatted(partitions.getAsInt()) : "")
                    + (natively ? ", natively" : "");
            return fallbackCause.map(cause -> "%s (extension: %s)".formatted(ranges, cause)).orElse(ranges);
        }
        String whole = "one split: " + oneSplitReason.get() + index.map(name -> " " + name).orElse("");
        return fallbackCause.map(cause -> "%s (%s)".formatted(whole, cause)).orElse(whole);
    }
}
