package io.mysqlpq.trino.scan;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** Adds to each row the id by which it will be updated or deleted: the values of its primary key, and the values that the change depends on. */
final class MergeRowIdPageSource
        implements ConnectorPageSource
{
    private final ConnectorPageSource rows;
    private final MergeRowIdColumns columns;

    MergeRowIdPageSource(ConnectorPageSource rows, MergeRowIdColumns columns)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.columns = requireNonNull(columns, "columns is null");
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        SourcePage page = rows.getNextSourcePage();
        return page == null ? null : SourcePage.create(withRowId(page.getPage()));
    }

    private Page withRowId(Page page)
    {
        Stream<Block> key = columns.keyChannels().stream().map(page::getBlock);
        Stream<Block> old = columns.oldChannels().isEmpty() ? Stream.of() : Stream.of(rows(page, IntStream.range(0, columns.oldChannels().size()).mapToObj(field -> oldValues(page, field))));
        Block rowId = rows(page, Stream.concat(key, old));
        return new Page(page.getPositionCount(), columns.outputChannels().stream().map(channel -> channel.map(page::getBlock).orElse(rowId)).toArray(Block[]::new));
    }

    private Block oldValues(Page page, int field)
    {
        return columns.oldChannels().get(field).map(page::getBlock).orElseGet(() -> RunLengthEncodedBlock.create(columns.oldTypes().get(field), null, page.getPositionCount()));
    }

    private static Block rows(Page page, Stream<Block> fields)
    {
        return RowBlock.fromFieldBlocks(page.getPositionCount(), fields.toArray(Block[]::new));
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
}
