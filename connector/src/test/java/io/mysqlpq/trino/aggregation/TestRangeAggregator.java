package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.Interval;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.metrics.ReadTotals;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/** Merges ranges that end in any order. The test says when they end. */
class TestRangeAggregator
{
    private static final JdbcTableHandle TABLE = new JdbcTableHandle(new SchemaTableName("test", "t"), new RemoteTableName(Optional.of("test"), Optional.empty(), "t"), Optional.empty());
    private static final int PARALLELISM = 2;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void testSumsAreThoseInOrder(long seed)
    {
        Random random = new Random(seed);
        List<ManualReader> readers = readers(12);
        GroupTableMerger merger = new GroupTableMerger(sums(DOUBLE));
        CompletableFuture<Void> merged = aggregator(readers, merger).start();
        while (!merged.isDone()) {
            List<ManualReader> reading = readers.stream().filter(ManualReader::isReading).toList();
            ManualReader reader = reading.get(random.nextInt(reading.size()));
            if (reader.pages() < 3) {
                int range = readers.indexOf(reader);
                reader.give(page(2, group -> value(range, group)));
            }
            else {
                reader.end();
            }
        }

        double[] sums = new double[2];
        for (int range = 0; range < readers.size(); range++) {
            for (int group = 0; group < 2; group++) {
                sums[group] += value(range, group) + value(range, group) + value(range, group);
            }
        }
        Page result = merger.result();
        assertThat(result.getPositionCount()).isEqualTo(2);
        for (int position = 0; position < 2; position++) {
            int group = (int) BIGINT.getLong(result.getBlock(0), position);
            assertThat(DOUBLE.getDouble(result.getBlock(1), position)).isEqualTo(sums[group]);
        }
    }

    // The values are of different sizes, so that each order of adding rounds in another way.
    private static double value(int range, int group)
    {
        return Math.sin(range + 100 * group) * Math.pow(10, range % 5);
    }

    @Test
    void testRangesBehindASlowOneTakeNoMoreThanTheirGroups()
    {
        List<ManualReader> readers = readers(100);
        GroupTableMerger merger = new GroupTableMerger(sums(DOUBLE));
        RangeAggregator aggregator = aggregator(readers, merger);
        CompletableFuture<Void> merged = aggregator.start();
        readers.get(1).give(page(1000, group -> group));
        long once = aggregator.retainedBytes();
        for (int again = 0; again < 100; again++) {
            readers.get(1).give(page(1000, group -> group));
        }
        assertThat(aggregator.retainedBytes()).isEqualTo(once);

        endWhatIsRead(readers, Set.of(0));
        assertThat(begun(readers)).isEqualTo(Set.of(0, 1, 2, 3));
        assertThat(merged).isNotDone();

        readers.get(0).end();
        endWhatIsRead(readers, Set.of());
        assertThat(begun(readers)).hasSize(100);
        assertThat(merged).isCompleted();
        assertThat(merger.result().getPositionCount()).isEqualTo(1000);
        assertThat(aggregator.retainedBytes()).isZero();
    }

    @Test
    void testAsManyAreReadAfterASlowOneAsBefore()
    {
        List<ManualReader> readers = readers(100);
        CompletableFuture<Void> merged = aggregator(readers, new GroupTableMerger(sums(DOUBLE))).start();
        endWhatIsRead(readers, Set.of(0));
        readers.get(0).end();
        assertThat(readers.stream().filter(ManualReader::isReading)).hasSize(PARALLELISM);
        assertThat(merged).isNotDone();
    }

    @Test
    void testExactSumsWaitForNoRange()
    {
        List<ManualReader> readers = readers(100);
        GroupTableMerger merger = new GroupTableMerger(sums(BIGINT));
        CompletableFuture<Void> merged = aggregator(readers, merger).start();
        endWhatIsRead(readers, Set.of(0));
        assertThat(begun(readers)).hasSize(100);
        readers.get(0).end();
        assertThat(merged).isCompleted();
    }

    @Test
    void testFailureBehindASlowRange()
    {
        List<ManualReader> readers = readers(100);
        CompletableFuture<Void> merged = aggregator(readers, new GroupTableMerger(sums(DOUBLE))).start();
        readers.get(1).end();
        readers.get(2).fail(new IllegalStateException("lost"));
        assertThat(merged).isCompletedExceptionally();
        assertThat(merged.exceptionNow()).hasMessage("lost");
        assertThat(begun(readers)).isEqualTo(Set.of(0, 1, 2));
    }

    private static void endWhatIsRead(List<ManualReader> readers, Set<Integer> excepted)
    {
        while (true) {
            Optional<ManualReader> reading = readers.stream().filter(reader -> reader.isReading() && !excepted.contains(readers.indexOf(reader))).findFirst();
            if (reading.isEmpty()) {
                return;
            }
            reading.get().end();
        }
    }

    private static Set<Integer> begun(List<ManualReader> readers)
    {
        return readers.stream().filter(ManualReader::isBegun).map(readers::indexOf).collect(toSet());
    }

    private static List<ManualReader> readers(int count)
    {
        ImmutableList.Builder<ManualReader> readers = ImmutableList.builder();
        for (int range = 0; range < count; range++) {
            readers.add(new ManualReader());
        }
        return readers.build();
    }

    private static RangeAggregator aggregator(List<ManualReader> readers, RangeMerger merger)
    {
        return new RangeAggregator(ImmutableList.copyOf(readers), PARALLELISM, merger, new ReadMetrics("node", new ReadTotals()));
    }

    private interface Value
    {
        double of(int group);
    }

    private static Page page(int groups, Value value)
    {
        PageBuilder page = new PageBuilder(List.of(BIGINT, DOUBLE));
        for (int group = 0; group < groups; group++) {
            page.declarePosition();
            BIGINT.writeLong(page.getBlockBuilder(0), group);
            DOUBLE.writeDouble(page.getBlockBuilder(1), value.of(group));
        }
        return page.build();
    }

    private static NativeAggregation sums(Type type)
    {
        NativeAggregation.Key key = new NativeAggregation.Key(column("k", BIGINT), expression("k", BIGINT));
        NativeAggregation.Argument argument = new NativeAggregation.Argument(column("v", type), expression("v", type));
        return new NativeAggregation(TABLE, List.of(key), List.of(new NativeAggregation.Aggregate(MergeableFunction.SUM, List.of(argument), column("s", type))));
    }

    private static Expression expression(String name, Type type)
    {
        return new Expression.Column(name, type.equals(BIGINT) ? Optional.of(Interval.of(Long.MIN_VALUE, Long.MAX_VALUE)) : Optional.empty());
    }

    private static JdbcColumnHandle column(String name, Type type)
    {
        int jdbcType = type.equals(BIGINT) ? Types.BIGINT : Types.DOUBLE;
        return new JdbcColumnHandle(name, new JdbcTypeHandle(jdbcType, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()), type);
    }

    /** Gives what the test says, when it says so. */
    private static final class ManualReader
            implements GroupReader
    {
        private final CompletableFuture<Void> read = new CompletableFuture<>();
        @Nullable
        private Consumer<Page> groups;
        private int pages;

        boolean isBegun()
        {
            return groups != null;
        }

        boolean isReading()
        {
            return isBegun() && !read.isDone();
        }

        int pages()
        {
            return pages;
        }

        void give(Page page)
        {
            pages++;
            groups.accept(page);
        }

        void end()
        {
            read.complete(null);
        }

        void fail(RuntimeException cause)
        {
            read.completeExceptionally(cause);
        }

        @Override
        public CompletableFuture<Void> read(Consumer<Page> groups)
        {
            this.groups = groups;
            return read;
        }

        @Override
        public long retainedBytes()
        {
            return 0;
        }

        @Override
        public void cancel()
        {
            read.cancel(false);
        }
    }
}
