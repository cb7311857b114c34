package io.mysqlpq.trino.planning;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.key.BoundOrder.isOrderKnown;
import static io.mysqlpq.trino.key.BoundOrder.precedes;

/**
 * Cuts a table where it was cut before, so that later queries read the same ranges, of which most may not have changed since.
 *
 * <p>A table that grows is cut anew only where it grew. Any bounds in index order give the right rows, so old ones are as good as new ones, as long as
 * ranges are about as large as they should be: a range in which two new bounds or more would lie gets these. Where only MySQL knows the order of keys,
 * new bounds are taken.
 */
final class StableRanges
{
    private static final long MOST_BOUNDS = 100_000;
    // With more ranges than this, compared with those that are wanted, a table is cut anew.
    private static final double MOST_RANGES = 1.25;

    private final Cache<Cut, List<KeyBound>> bounds = CacheBuilder.newBuilder()
            .concurrencyLevel(1)
            .maximumWeight(MOST_BOUNDS)
            .<Cut, List<KeyBound>>weigher((_, kept) -> 1 + kept.size())
            .build();

    @Inject
    StableRanges()
    {}

    private record Cut(ScannedIndex scanned, IndexKey key, String definition, long targetRows, int maxRanges)
    {}

    /** @param options by which the ranges are so many and so large */
    RangePlan.Ranges of(ScannedIndex scanned, RangePlan.Ranges fresh, PlanningOptions options)
    {
        Cut cut = new Cut(scanned, fresh.key(), fresh.definition(), options.targetRowsPerSplit(), options.maxRanges());
        List<KeyBound> wanted = fresh.ranges().stream().flatMap(range -> range.range().upper().stream()).collect(toImmutableList());
        List<KeyBound> kept = Optional.ofNullable(bounds.getIfPresent(cut))
                .map(old -> merged(fresh.key(), old, wanted))
                .filter(merged -> merged.size() < options.maxRanges() && isAsMany(merged.size(), wanted.size()) && isAsMany(wanted.size(), merged.size()))
                .orElse(wanted);
        bounds.put(cut, kept);
        return kept.equals(wanted) ? fresh : fresh.of(ranges(kept, fresh.ranges()));
    }

    private static boolean isAsMany(int some, int others)
    {
        return some <= MOST_RANGES * others + 1;
    }

    // What is new counts only in old ranges that have become too large.
    private static List<KeyBound> merged(IndexKey key, List<KeyBound> old, List<KeyBound> wanted)
    {
        if (!key.columns().stream().limit(key.columnsReadByRange()).allMatch(column -> isOrderKnown(column) && !column.nullable())) {
            return wanted;
        }
        ImmutableList.Builder<KeyBound> merged = ImmutableList.builder();
        int next = 0;
        for (int i = 0; i <= old.size(); i++) {
            int first = next;
            while (next < wanted.size() && (i == old.size() || isBefore(key, wanted.get(next), old.get(i)))) {
                next++;
            }
            // The first one may lie near to the range's begin.
            merged.addAll(wanted.subList(Math.min(first + 1, next), next));
            if (i < old.size()) {
                if (next < wanted.size() && wanted.get(next).equals(old.get(i))) {
                    next++;
                }
                merged.add(old.get(i));
            }
        }
        return merged.build();
    }

    // A bound of fewer columns stands before all keys that begin with its values.
    private static boolean isBefore(IndexKey key, KeyBound left, KeyBound right)
    {
        int columns = Math.min(left.values().size(), right.values().size());
        for (int i = 0; i < columns; i++) {
            if (!left.values().get(i).equals(right.values().get(i))) {
                return precedes(key.columns().get(i), left.values().get(i), right.values().get(i));
            }
        }
        return left.values().size() < right.values().size();
    }

    // How many rows each has is not known, but how many all have.
    private static List<PlannedRange> ranges(List<KeyBound> bounds, List<PlannedRange> fresh)
    {
        OptionalLong rows = fresh.stream().allMatch(range -> range.estimatedRows().isPresent())
                ? OptionalLong.of(fresh.stream().mapToLong(range -> range.estimatedRows().getAsLong()).sum() / (bounds.size() + 1))
                : OptionalLong.empty();
        ImmutableList.Builder<PlannedRange> ranges = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        for (KeyBound bound : bounds) {
            ranges.add(new PlannedRange(new KeyRange(lower, Optional.of(bound)), rows));
            lower = Optional.of(bound);
        }
        return ranges.add(new PlannedRange(new KeyRange(lower, Optional.empty()), rows)).build();
    }
}
