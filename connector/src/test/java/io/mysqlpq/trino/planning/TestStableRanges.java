package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.mysqlpq.trino.key.TextKeyValue;
import io.mysqlpq.trino.server.TableIndex;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static org.assertj.core.api.Assertions.assertThat;

/** Cuts a table where it was cut before. */
class TestStableRanges
{
    private static final int MOST = 1000;
    private static final IndexKey KEY = new IndexKey(PRIMARY, true, ImmutableList.of(KeyColumn.integer("a"), KeyColumn.integer("b")));

    private final StableRanges stable = new StableRanges();

    @Test
    void testBoundsThatMoveALittleStay()
    {
        assertThat(cut(10, 20, 30)).isEqualTo(bounds(10, 20, 30));
        assertThat(cut(11, 21, 31)).isEqualTo(bounds(10, 20, 30));
        assertThat(cut(9, 19, 29)).isEqualTo(bounds(10, 20, 30));
        assertThat(cut(14, 24, 34)).isEqualTo(bounds(10, 20, 30));
    }

    @Test
    void testTableThatGrowsAtItsEnd()
    {
        assertThat(cut(10, 20, 30, 40)).isEqualTo(bounds(10, 20, 30, 40));
        assertThat(cut(11, 22, 33, 44)).isEqualTo(bounds(10, 20, 30, 40));
        // The last range has become twice as large.
        assertThat(cut(11, 22, 33, 44, 54)).isEqualTo(bounds(10, 20, 30, 40, 54));
    }

    @Test
    void testRangeThatGrows()
    {
        cut(10, 20, 30, 40, 50, 60, 70, 80);
        assertThat(cut(10, 20, 32, 35, 38, 50, 60, 70, 80)).isEqualTo(bounds(10, 20, 30, 35, 38, 40, 50, 60, 70, 80));
    }

    @Test
    void testOtherSizeIsCutAnew()
    {
        cut(10, 20, 30, 40, 50, 60, 70, 80);
        assertThat(cut(25, 50, 75)).isEqualTo(bounds(25, 50, 75));
        assertThat(cut(26, 51, 76)).isEqualTo(bounds(25, 50, 75));
        assertThat(cut(10)).isEqualTo(bounds(10));
    }

    @Test
    void testBoundsOfSeveralColumns()
    {
        List<KeyBound> first = ImmutableList.of(bound(10), bound(20, 5), bound(30));
        assertThat(cut(first, "d", KEY)).isEqualTo(first);
        assertThat(cut(ImmutableList.of(bound(10, 3), bound(20, 7), bound(31)), "d", KEY)).isEqualTo(first);
        assertThat(cut(ImmutableList.of(bound(9), bound(20), bound(29)), "d", KEY)).isEqualTo(first);
        // A bound of one column stands before those that have its value.
        assertThat(cut(ImmutableList.of(bound(10, 3), bound(20), bound(31)), "d", KEY)).isEqualTo(ImmutableList.of(bound(10), bound(20), bound(20, 5), bound(30)));
    }

    @Test
    void testOtherDefinitionIsCutAnew()
    {
        cut(10, 20, 30);
        assertThat(cut(bounds(11, 21, 31), "another", KEY)).isEqualTo(bounds(11, 21, 31));
        assertThat(cut(11, 21, 31)).isEqualTo(bounds(10, 20, 30));
    }

    // Only MySQL puts texts in order.
    @Test
    void testTexts()
    {
        IndexKey texts = new IndexKey(PRIMARY, true, ImmutableList.of(KeyColumn.text("t", "utf8mb4", "utf8mb4_0900_ai_ci")));
        List<KeyBound> first = ImmutableList.of(text("61"), text("62"));
        assertThat(cut(first, "d", texts)).isEqualTo(first);
        List<KeyBound> other = ImmutableList.of(text("63"), text("64"));
        assertThat(cut(other, "d", texts)).isEqualTo(other);
    }

    @Test
    void testNeverMoreRangesThanAllowed()
    {
        PlanningOptions few = options(6);
        stable.of(scanned(), fresh(bounds(10, 20, 30, 40), "d", KEY), few);
        assertThat(uppers(stable.of(scanned(), fresh(bounds(11, 22, 33, 44, 54), "d", KEY), few))).isEqualTo(bounds(10, 20, 30, 40, 54));
        // One more would be too many.
        assertThat(uppers(stable.of(scanned(), fresh(bounds(11, 22, 33, 44, 60), "d", KEY), few))).isEqualTo(bounds(10, 20, 30, 40, 54));
        assertThat(uppers(stable.of(scanned(), fresh(bounds(1, 2, 33, 44, 60), "d", KEY), few))).isEqualTo(bounds(1, 2, 33, 44, 60));
    }

    // Whatever a table does: bounds ascend, ranges have no gaps, and none is much larger than it should be.
    @Test
    void testAnyTable()
    {
        Random random = new Random(7);
        for (int table = 0; table < 50; table++) {
            StableRanges ranges = new StableRanges();
            List<Integer> keys = new ArrayList<>();
            for (int step = 0; step < 30; step++) {
                int place = random.nextInt(1_000_000);
                int rows = random.nextInt(step == 0 ? 100_000 : 5_000);
                boolean atEnd = random.nextBoolean();
                for (int i = 0; i < rows; i++) {
                    keys.add(atEnd ? 1_000_000 + step * 100_000 + i : place + i);
                }
                if (random.nextInt(4) == 0) {
                    keys.removeIf(key -> key > place && key < place + 20_000);
                }
                keys.sort(null);
                int wanted = 1 + keys.size() / 1_000;
                List<KeyBound> fresh = IntStream.range(1, wanted).mapToObj(i -> keys.get(i * keys.size() / wanted)).distinct().map(TestStableRanges::bound).collect(toImmutableList());
                List<KeyBound> cut = uppers(ranges.of(scanned(), fresh(fresh, "d", KEY), options(MOST)));
                List<Integer> values = cut.stream().map(bound -> ((IntegerKeyValue) bound.values().getFirst()).number().intValue()).toList();
                assertThat(values).isSorted().doesNotHaveDuplicates();
                int[] sorted = keys.stream().mapToInt(Integer::intValue).toArray();
                int before = 0;
                for (int i = 0; i <= values.size(); i++) {
                    int end = i == values.size() ? sorted.length : firstOf(sorted, values.get(i));
                    assertThat(end - before).isLessThanOrEqualTo(3_100);
                    before = end;
                }
            }
        }
    }

    // Where the keys from a bound on begin, some of which may be equal.
    private static int firstOf(int[] sorted, int bound)
    {
        int place = Arrays.binarySearch(sorted, bound);
        place = place < 0 ? -place - 1 : place;
        while (place > 0 && sorted[place - 1] == bound) {
            place--;
        }
        return place;
    }

    private List<KeyBound> cut(int... bounds)
    {
        return cut(bounds(bounds), "d", KEY);
    }

    private List<KeyBound> cut(List<KeyBound> fresh, String definition, IndexKey key)
    {
        RangePlan.Ranges cut = stable.of(scanned(), fresh(fresh, definition, key), options(MOST));
        // Half-open, without a gap.
        for (int i = 1; i < cut.ranges().size(); i++) {
            assertThat(cut.ranges().get(i).range().lower()).isEqualTo(cut.ranges().get(i - 1).range().upper());
        }
        assertThat(cut.ranges().getFirst().range().lower()).isEmpty();
        assertThat(cut.ranges().getLast().range().upper()).isEmpty();
        return uppers(cut);
    }

    private static List<KeyBound> uppers(RangePlan.Ranges ranges)
    {
        return ranges.ranges().stream().flatMap(range -> range.range().upper().stream()).toList();
    }

    private static RangePlan.Ranges fresh(List<KeyBound> bounds, String definition, IndexKey key)
    {
        ImmutableList.Builder<PlannedRange> ranges = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        for (KeyBound bound : bounds) {
            ranges.add(new PlannedRange(new KeyRange(lower, Optional.of(bound)), OptionalLong.of(100)));
            lower = Optional.of(bound);
        }
        return new RangePlan.Ranges(key, definition, ranges.add(new PlannedRange(new KeyRange(lower, Optional.empty()), OptionalLong.of(100))).build(), 1);
    }

    private static PlanningOptions options(int maxRanges)
    {
        return new PlanningOptions(true, RangeSource.EXTENSION, 1_000, maxRanges, 10, 0, SnapshotMode.AUTO, false, true, false);
    }

    private static ScannedIndex scanned()
    {
        return new ScannedIndex("s", "t", TableIndex.primary(ImmutableList.of(new TableIndex.Column("a", false))), new KeyRange(Optional.empty(), Optional.empty()), ImmutableList.of(), Optional.empty());
    }

    private static List<KeyBound> bounds(int... values)
    {
        return IntStream.of(values).mapToObj(TestStableRanges::bound).collect(toImmutableList());
    }

    private static KeyBound bound(int... values)
    {
        return new KeyBound(IntStream.of(values).<KeyValue>mapToObj(value -> new IntegerKeyValue(String.valueOf(value))).toList());
    }

    private static KeyBound text(String hex)
    {
        return KeyBound.of(new TextKeyValue(hex));
    }
}
