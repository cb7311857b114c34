package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.protocol.RangesReply;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps of a reply's boundaries what SQL can say, so that MySQL finds each range's rows and reads no others.
 *
 * <p>A boundary is cut to the leading columns that MySQL reads ranges by, and left out if it has a value without a
 * literal. The ranges at a boundary that is left out, or that equals the one before, become one: a range may end
 * anywhere.
 */
final class SpokenRanges
{
    private SpokenRanges()
    {}

    static List<PlannedRange> of(RangesReply reply)
    {
        ImmutableList.Builder<PlannedRange> ranges = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        long rows = 0;
        for (int i = 0; i < reply.boundaries().size(); i++) {
            rows += rows(reply, i);
            Optional<KeyBound> upper = spoken(reply.boundaries().get(i), reply.key().columnsReadByRange());
            if (upper.isPresent() && !upper.equals(lower)) {
                ranges.add(range(reply, lower, upper, rows));
                lower = upper;
                rows = 0;
            }
        }
        return ranges.add(range(reply, lower, Optional.empty(), rows + rows(reply, reply.boundaries().size()))).build();
    }

    private static Optional<KeyBound> spoken(KeyBound boundary, int columns)
    {
        List<KeyValue> values = boundary.values().subList(0, columns);
        return values.isEmpty() || !values.stream().allMatch(KeyValue::hasLiteral) ? Optional.empty() : Optional.of(new KeyBound(values));
    }

    private static PlannedRange range(RangesReply reply, Optional<KeyBound> lower, Optional<KeyBound> upper, long rows)
    {
        return new PlannedRange(new KeyRange(lower, upper), reply.rows().isPresent() ? OptionalLong.of(rows) : OptionalLong.empty());
    }

    private static long rows(RangesReply reply, int range)
    {
        return reply.rows().map(rows -> rows.get(range)).orElse(0L);
    }
}
