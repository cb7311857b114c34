package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Cuts bounds to their leading values. */
class TestLeadingColumnRanges
{
    @Test
    void testEqualBoundsBecomeOne()
    {
        List<PlannedRange> ranges = ranges(1, bound(3, 1), bound(3, 7), bound(4), bound(9, 2));
        assertThat(LeadingColumnRanges.of(ranges, 1)).containsExactly(
                range(Optional.empty(), Optional.of(bound(3)), 1),
                range(Optional.of(bound(3)), Optional.of(bound(4)), 2 + 3),
                range(Optional.of(bound(4)), Optional.of(bound(9)), 4),
                range(Optional.of(bound(9)), Optional.empty(), 5));
        assertThat(LeadingColumnRanges.of(ranges, 2)).isEqualTo(ranges);
    }

    @Test
    void testOneGroupIsOneRange()
    {
        assertThat(LeadingColumnRanges.of(ranges(1, bound(3, 1), bound(3, 7)), 1)).containsExactly(
                range(Optional.empty(), Optional.of(bound(3)), 1),
                range(Optional.of(bound(3)), Optional.empty(), 2 + 3));
        assertThat(LeadingColumnRanges.of(ranges(1), 1)).containsExactly(range(Optional.empty(), Optional.empty(), 1));
    }

    @Test
    void testUnknownRows()
    {
        List<PlannedRange> unknown = ImmutableList.of(
                new PlannedRange(new KeyRange(Optional.empty(), Optional.of(bound(3, 1))), OptionalLong.empty()),
                new PlannedRange(new KeyRange(Optional.of(bound(3, 1)), Optional.empty()), OptionalLong.empty()));
        assertThat(LeadingColumnRanges.of(unknown, 1)).allSatisfy(range -> assertThat(range.estimatedRows()).isEmpty()).hasSize(2);
    }

    // Makes ranges of 1, 2, 3 ... rows.
    private static List<PlannedRange> ranges(int firstRows, KeyBound... bounds)
    {
        List<Optional<KeyBound>> ends = ImmutableList.<Optional<KeyBound>>builder()
                .add(Optional.empty())
                .addAll(ImmutableList.copyOf(bounds).stream().map(Optional::of).toList())
                .add(Optional.empty())
                .build();
        return IntStream.range(0, ends.size() - 1).mapToObj(i -> range(ends.get(i), ends.get(i + 1), firstRows + i)).toList();
    }

    private static PlannedRange range(Optional<KeyBound> lower, Optional<KeyBound> upper, long rows)
    {
        return new PlannedRange(new KeyRange(lower, upper), OptionalLong.of(rows));
    }

    private static KeyBound bound(int... values)
    {
        return new KeyBound(IntStream.of(values).mapToObj(value -> (KeyValue) new IntegerKeyValue("" + value)).toList());
    }
}
