package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.Optional;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static io.mysqlpq.trino.planning.OneSplitReason.LIMIT;
import static io.mysqlpq.trino.planning.OneSplitReason.NOT_A_TABLE;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_PRIMARY_KEY;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_RANGES_FROM_EXTENSION;
import static io.mysqlpq.trino.planning.OneSplitReason.PARALLEL_READS_OFF;
import static io.mysqlpq.trino.planning.OneSplitReason.POINT_LOOKUP;
import static io.mysqlpq.trino.planning.OneSplitReason.PUSHED_QUERY;
import static io.mysqlpq.trino.planning.OneSplitReason.RANGE_SOURCE_NONE;
import static io.mysqlpq.trino.planning.OneSplitReason.SNAPSHOT_PER_SCAN;
import static java.util.Objects.requireNonNull;

/**
 * Says how a scan will be read, as far as that is known before ranges are asked for: as one split, or by ranges of
 * an index if the table is large enough.
 */
public record AccessPath(Optional<OneSplitReason> oneSplitReason, Optional<FallbackCause> fallbackCause)
{
    public AccessPath
    {
        requireNonNull(oneSplitReason, "oneSplitReason is null");
        requireNonNull(fallbackCause, "fallbackCause is null");
        checkArgument(fallbackCause.isEmpty() || oneSplitReason.isPresent(), "fallback to %s", oneSplitReason);
    }

    /**
     * Chooses without asking for ranges, so whether the table is too small for them stays open.
     *
     * @param facts asked for only if the handle and the session leave the choice open
     */
    public static AccessPath of(JdbcTableHandle table, PlanningOptions options, Supplier<TableFacts> facts)
    {
        Optional<OneSplitReason> whole = byHandle(table, options);
        if (whole.isPresent()) {
            return new AccessPath(whole, Optional.empty());
        }
        TableKey key = facts.get().key();
        whole = byKey(key, new KeyFilter(key.primaryKey(), table.getConstraint()));
        if (whole.isPresent()) {
            return new AccessPath(whole, Optional.empty());
        }
        return new AccessPath(facts.get().fallbackCause().map(_ -> NO_RANGES_FROM_EXTENSION), facts.get().fallbackCause());
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

    /** Why a scan is one split, if the table's key tells. */
    static Optional<OneSplitReason> byKey(TableKey key, KeyFilter filter)
    {
        return switch (key.shape()) {
            case VIEW, OTHER_ENGINE, UNKNOWN -> Optional.of(NOT_A_TABLE);
            case PARTITIONED_TABLE, INNODB_TABLE -> {
                if (key.primaryKey().isEmpty()) {
                    yield Optional.of(NO_PRIMARY_KEY);
                }
                yield filter.isPointLookup() ? Optional.of(POINT_LOOKUP) : Optional.empty();
            }
        };
    }

    /** What EXPLAIN shows. */
    @Override
    public String toString()
    {
        if (oneSplitReason.isEmpty()) {
            return "ranges of index %s from %s".formatted(PRIMARY, RangeSource.EXTENSION);
        }
        return fallbackCause.map(cause -> "one split: %s (%s)".formatted(oneSplitReason.get(), cause))
                .orElseGet(() -> "one split: " + oneSplitReason.get());
    }
}
