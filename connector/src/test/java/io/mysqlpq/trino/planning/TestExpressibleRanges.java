package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyEncoding;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.protocol.RangesReply;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.min;
import static org.assertj.core.api.Assertions.assertThat;

class TestExpressibleRanges
{
    private static final KeyColumn NUMBER = KeyColumn.integer("n");
    private static final KeyColumn DATE = KeyColumn.of("d", KeyEncoding.DATE);

    @Test
    void testAllBoundaries()
    {
        assertThat(ranges(List.of(NUMBER, DATE), "1 2020-01-01", "1 2020-00-00"))
                .containsExactly(range(null, "1 2020-01-01", 1), range("1 2020-01-01", "1 2020-00-00", 2), range("1 2020-00-00", null, 3));
    }

    @Test
    void testBoundaryWithoutLiteralIsLeftOut()
    {
        assertThat(ranges(List.of(NUMBER, DATE), "1 2021-02-31", "2 2020-00-00", "3 2021-02-31"))
                .containsExactly(range(null, "2 2020-00-00", 3), range("2 2020-00-00", null, 7));
        assertThat(ranges(List.of(NUMBER, DATE), "1 2021-02-31")).containsExactly(range(null, null, 3));
    }

    @Test
    void testBoundariesAreCutToTheColumnsReadByRange()
    {
        KeyColumn set = KeyColumn.integer("s").withListedUpTo("4294967295");
        assertThat(ranges(List.of(NUMBER, set), "1 5", "1 9", "2 1", "3 1"))
                .containsExactly(range(null, "1", 1), range("1", "2", 5), range("2", "3", 4), range("3", null, 5));
        assertThat(ranges(List.of(set, NUMBER), "1 5", "1 9")).containsExactly(range(null, null, 6));
    }

    @Test
    void testJoinedRangesEndAtLeadingColumns()
    {
        List<KeyColumn> columns = List.of(NUMBER, DATE);
        RangesReply reply = reply(columns, "1 2020-01-01", "1 2020-02-01", "3 2020-01-01", "5 2020-01-01", "5 2020-02-01", "5 2020-03-01", "9 2020-01-01");
        // Estimates are 1 to 8: places at 12 and 24 of 36.
        assertThat(ExpressibleRanges.of(reply, 3)).containsExactly(range(null, "5", 10), range("5", "5 2020-03-01", 11), range("5 2020-03-01", null, 15));
        assertThat(ExpressibleRanges.of(reply, 2)).containsExactly(range(null, "5 2020-02-01", 15), range("5 2020-02-01", null, 21));
        // Not where a range might lose all its rows.
        assertThat(ExpressibleRanges.of(reply, 8)).isEqualTo(ExpressibleRanges.of(reply)).hasSize(8).contains(range("3 2020-01-01", "5 2020-01-01", 4));
        for (int count = 1; count <= 9; count++) {
            assertThat(ExpressibleRanges.of(reply, count)).hasSizeBetween(min(count, 3), count);
            // Estimates of nothing.
            RangesReply empty = new RangesReply(reply.key(), "d", reply.boundaries(), Optional.of(Collections.nCopies(8, 0L)), Optional.empty(), Optional.empty(), 1);
            assertThat(ExpressibleRanges.of(empty, count)).hasSize(min(count, 8));
        }
        // What is before what only MySQL knows of text.
        List<KeyColumn> texts = List.of(KeyColumn.text("t", "utf8mb4", "utf8mb4_0900_ai_ci"), DATE);
        assertThat(ExpressibleRanges.of(reply(texts, "61 2020-01-01", "41 2020-02-01", "62 2020-03-01"), 2).getFirst().range().upper()).contains(bound(texts, "62 2020-03-01"));
    }

    @Test
    void testJoinedRangesAreEvenInBytesWhereTheseWereWeighed()
    {
        RangesReply reply = reply(List.of(NUMBER), "1", "2", "3", "4", "5");
        RangesReply weighed = new RangesReply(reply.key(), "d", reply.boundaries(), reply.rows(), Optional.of(List.of(10L, 10L, 500L, 480L, 500L, 500L)), Optional.empty(), 1);
        assertThat(ExpressibleRanges.of(weighed, 4)).containsExactly(range(null, "3", 6), range("3", "4", 4), range("4", "5", 5), range("5", null, 6));
    }

    // Estimates are 1, 2, 3 and so on.
    private static List<PlannedRange> ranges(List<KeyColumn> columns, String... boundaries)
    {
        return ExpressibleRanges.of(reply(columns, boundaries));
    }

    private static RangesReply reply(List<KeyColumn> columns, String... boundaries)
    {
        List<KeyBound> bounds = Stream.of(boundaries).map(values -> bound(columns, values)).collect(toImmutableList());
        List<Long> rows = IntStream.rangeClosed(1, boundaries.length + 1).mapToObj(Long::valueOf).collect(toImmutableList());
        return new RangesReply(new IndexKey("PRIMARY", true, columns), "d", bounds, Optional.of(rows), Optional.empty(), Optional.empty(), 1);
    }

    private static PlannedRange range(String lower, String upper, long rows)
    {
        List<KeyColumn> columns = ImmutableList.of(NUMBER, DATE);
        return new PlannedRange(
                new KeyRange(Optional.ofNullable(lower).map(values -> bound(columns, values)), Optional.ofNullable(upper).map(values -> bound(columns, values))),
                OptionalLong.of(rows));
    }

    private static KeyBound bound(List<KeyColumn> columns, String values)
    {
        String[] parts = values.split(" ", -1);
        return new KeyBound(IntStream.range(0, parts.length).mapToObj(i -> KeyValue.fromProtocol(columns.get(i), parts[i])).collect(toImmutableList()));
    }
}
