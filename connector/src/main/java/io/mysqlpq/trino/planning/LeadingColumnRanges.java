package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.Math.min;

/** Cuts the bounds of ranges to leading columns of the key, so that rows with equal values there are in one range. */
final class LeadingColumnRanges
{
    private LeadingColumnRanges()
    {}

    /** @param ranges gap-free, of a table without partitions; those that begin at equal values become one */
    static List<PlannedRange> of(List<PlannedRange> ranges, int columns)
    {
        ImmutableList.Builder<PlannedRange> coarse = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        OptionalLong rows = OptionalLong.of(0);
        for (PlannedRange range : ranges) {
            rows = rows.isPresent() && range.estimatedRows().isPresent() ? OptionalLong.of(rows.getAsLong() + range.estimatedRows().getAsLong()) : OptionalLong.empty();
            Optional<KeyBound> upper = range.range().upper().map(bound -> cut(bound, columns));
            if (upper.isEmpty() || !upper.equals(lower)) {
                coarse.add(new PlannedRange(new KeyRange(lower, upper), rows));
                lower = upper;
                rows = OptionalLong.of(0);
            }
        }
        return coarse.build();
    }

    private static KeyBound cut(KeyBound bound, int columns)
    {
        return new KeyBound(bound.values().subList(0, min(columns, bound.values().size())));
    }
}
