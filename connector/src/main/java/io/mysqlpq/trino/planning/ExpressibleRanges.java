package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.protocol.RangesReply;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.key.BoundOrder.precedes;
import static java.lang.Math.max;

/**
 * Turns a reply's boundaries into ranges that SQL can express, so that MySQL finds each range's rows and reads no others.
 *
 * <p>A boundary is cut to the leading columns by which MySQL reads ranges. It is left out if one of its values has no literal. If a
 * boundary is left out, or equals the one before it, the ranges beside it become one: a range may end anywhere.
 *
 * <p>If ranges are made of two or more of the reply's ranges, a boundary may be cut to its leading column. This is done if the reply's
 * boundary before it has a lesser leading value. A few rows go to the next range, and MySQL evaluates one comparison for each row instead
 * of four.
 */
final class ExpressibleRanges
{
    private ExpressibleRanges()
    {}

    static List<PlannedRange> of(RangesReply reply)
    {
        return of(reply, reply.boundaries().size() + 1);
    }

    /** @param count ranges to make, at most */
    static List<PlannedRange> of(RangesReply reply, int count)
    {
        boolean fewer = count < reply.boundaries().size() + 1;
        boolean cut = 2 * count <= reply.boundaries().size() + 1;
        double total = IntStream.rangeClosed(0, reply.boundaries().size()).mapToDouble(i -> weight(reply, i)).sum();
        double passed = 0;
        int places = 1;
        ImmutableList.Builder<PlannedRange> ranges = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        long rows = 0;
        for (int i = 0; i < reply.boundaries().size(); i++) {
            rows += rows(reply, i);
            passed += weight(reply, i);
            // The next boundary may be nearer to the place where a range should end.
            if (fewer && (places == count || count * (passed + weight(reply, i + 1) / 2) < total * places)) {
                continue;
            }
            places++;
            // A heavy part takes the places of several ranges.
            while (fewer && places < count && total * places <= count * passed) {
                places++;
            }
            Optional<KeyBound> upper = expressible(reply, i, cut);
            if (upper.isPresent() && !upper.equals(lower)) {
                ranges.add(range(reply, lower, upper, rows));
                lower = upper;
                rows = 0;
            }
        }
        return ranges.add(range(reply, lower, Optional.empty(), rows + rows(reply, reply.boundaries().size()))).build();
    }

    private static Optional<KeyBound> expressible(RangesReply reply, int boundary, boolean cut)
    {
        int columns = reply.key().columnsReadByRange();
        List<KeyValue> values = reply.boundaries().get(boundary).values();
        if (cut && columns > 1 && boundary > 0
                && precedes(reply.key().columns().getFirst(), reply.boundaries().get(boundary - 1).values().getFirst(), values.getFirst())) {
            columns = 1;
        }
        values = values.subList(0, columns);
        return values.isEmpty() || !values.stream().allMatch(KeyValue::hasLiteral) ? Optional.empty() : Optional.of(new KeyBound(values));
    }

    private static PlannedRange range(RangesReply reply, Optional<KeyBound> lower, Optional<KeyBound> upper, long rows)
    {
        return new PlannedRange(new KeyRange(lower, upper), reply.rows().isPresent() ? OptionalLong.of(rows) : OptionalLong.empty());
    }

    // Reading off-page values takes time too. Without estimates all parts weigh the same.
    private static double weight(RangesReply reply, int range)
    {
        return max(reply.bytes().map(bytes -> bytes.get(range)).orElseGet(() -> rows(reply, range)), 1);
    }

    private static long rows(RangesReply reply, int range)
    {
        return reply.rows().map(rows -> rows.get(range)).orElse(0L);
    }
}
