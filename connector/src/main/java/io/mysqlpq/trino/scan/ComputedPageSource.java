package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.expression.Projection;
import io.mysqlpq.trino.expression.RowExpressions;
import io.mysqlpq.trino.expression.RowFilter;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/** Filters rows by expressions, and computes columns of them, as Trino would above the scan. A column is computed when Trino asks for it. */
final class ComputedPageSource
        implements ConnectorPageSource
{
    private final ConnectorPageSource rows;
    private final RowFilter filter;
    private final List<Output> outputs;

    /**
     * Makes a column of the output from a page of rows.
     *
     * @param projection empty if the channel of the rows holds the column
     */
    private record Output(int channel, Optional<Projection> projection)
    {}

    private ComputedPageSource(ConnectorPageSource rows, RowFilter filter, List<Output> outputs)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.filter = requireNonNull(filter, "filter is null");
        this.outputs = ImmutableList.copyOf(outputs);
    }

    /**
     * @param available columns of the table that can be read
     * @param wanted columns of the table, and computed ones
     * @param open reads columns of the table
     */
    static ConnectorPageSource of(RowExpressions expressions, List<JdbcColumnHandle> available, List<JdbcColumnHandle> wanted, Function<List<JdbcColumnHandle>, ConnectorPageSource> open)
    {
        RowExpressions needed = new RowExpressions(
                expressions.computed().entrySet().stream()
                        .filter(computed -> wanted.stream().anyMatch(column -> column.getColumnName().equals(computed.getKey())))
                        .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue)),
                expressions.where());
        List<JdbcColumnHandle> read = Stream.concat(
                wanted.stream().filter(column -> !needed.computed().containsKey(column.getColumnName())),
                available.stream().filter(column -> needed.inputs().contains(column.getColumnName())))
                .distinct()
                .collect(toImmutableList());
        List<String> names = read.stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableList());
        ToIntFunction<String> channels = names::indexOf;
        List<Output> outputs = wanted.stream()
                .map(column -> Optional.ofNullable(needed.computed().get(column.getColumnName()))
                        .map(expression -> new Output(-1, Optional.of(new Projection(expression, channels, column.getColumnType()))))
                        .orElseGet(() -> new Output(names.indexOf(column.getColumnName()), Optional.empty())))
                .collect(toImmutableList());
        return new ComputedPageSource(open.apply(read), new RowFilter(needed.where(), channels), outputs);
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        SourcePage page = rows.getNextSourcePage();
        return page == null ? null : new ComputedPage(selected(page.getPage()));
    }

    private Page selected(Page page)
    {
        int passed = filter.select(page);
        return passed == page.getPositionCount() ? page : page.getPositions(filter.positions(), 0, passed);
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return rows.isBlocked();
    }

    @Override
    public boolean isFinished()
    {
        return rows.isFinished();
    }

    @Override
    public void close()
            throws IOException
    {
        rows.close();
    }

    @Override
    public long getCompletedBytes()
    {
        return rows.getCompletedBytes();
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return rows.getCompletedPositions();
    }

    @Override
    public long getReadTimeNanos()
    {
        return rows.getReadTimeNanos();
    }

    @Override
    public Metrics getMetrics()
    {
        return rows.getMetrics();
    }

    private final class ComputedPage
            implements SourcePage
    {
        private Page page;
        private final Block[] blocks = new Block[outputs.size()];

        ComputedPage(Page page)
        {
            this.page = page;
        }

        @Override
        public int getPositionCount()
        {
            return page.getPositionCount();
        }

        @Override
        public long getSizeInBytes()
        {
            return page.getSizeInBytes();
        }

        @Override
        public long getRetainedSizeInBytes()
        {
            long bytes = page.getRetainedSizeInBytes();
            for (int channel = 0; channel < blocks.length; channel++) {
                bytes += blocks[channel] == null || outputs.get(channel).projection().isEmpty() ? 0 : blocks[channel].getRetainedSizeInBytes();
            }
            return bytes;
        }

        @Override
        public void retainedBytesForEachPart(ObjLongConsumer<Object> consumer)
        {
            for (int channel = 0; channel < page.getChannelCount(); channel++) {
                page.getBlock(channel).retainedBytesForEachPart(consumer);
            }
            for (int channel = 0; channel < blocks.length; channel++) {
                if (blocks[channel] != null && outputs.get(channel).projection().isPresent()) {
                    blocks[channel].retainedBytesForEachPart(consumer);
                }
            }
        }

        @Override
        public int getChannelCount()
        {
            return outputs.size();
        }

        @Override
        public Block getBlock(int channel)
        {
            if (blocks[channel] == null) {
                Output output = outputs.get(channel);
                blocks[channel] = output.projection().map(projection -> projection.evaluate(page)).orElseGet(() -> page.getBlock(output.channel()));
            }
            return blocks[channel];
        }

        @Override
        public Page getPage()
        {
            for (int channel = 0; channel < blocks.length; channel++) {
                getBlock(channel);
            }
            return new Page(getPositionCount(), blocks.clone());
        }

        @Override
        public void selectPositions(int[] positions, int offset, int size)
        {
            page = page.getPositions(positions, offset, size);
            for (int channel = 0; channel < blocks.length; channel++) {
                blocks[channel] = blocks[channel] == null ? null : blocks[channel].getPositions(positions, offset, size);
            }
        }
    }
}
