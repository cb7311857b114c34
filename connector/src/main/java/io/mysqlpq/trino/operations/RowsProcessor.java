package io.mysqlpq.trino.operations;

import io.airlift.slice.Slices;
import io.trino.spi.PageBuilder;
import io.trino.spi.TrinoException;
import io.trino.spi.function.table.TableFunctionProcessorState;
import io.trino.spi.function.table.TableFunctionProcessorState.Blocked;
import io.trino.spi.function.table.TableFunctionProcessorState.Processed;
import io.trino.spi.function.table.TableFunctionSplitProcessor;
import io.trino.spi.type.Type;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static io.trino.spi.function.table.TableFunctionProcessorState.Finished.FINISHED;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/** Reads rows in a thread of the connector, so that threads of Trino's tasks never wait for MySQL, and gives them to Trino page by page. */
final class RowsProcessor
        implements TableFunctionSplitProcessor
{
    private final List<Type> types;
    private final Supplier<List<List<Object>>> source;
    private final Runnable cancel;
    private final Executor executor;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private FutureTask<List<List<Object>>> reading;
    private Iterator<List<Object>> rows;

    /** @param cancel ends the work of the source. The source is interrupted as well, because it may wait for a connection */
    RowsProcessor(List<ResultColumn> columns, Supplier<List<List<Object>>> source, Runnable cancel, Executor executor)
    {
        this.types = columns.stream().map(ResultColumn::type).toList();
        this.source = requireNonNull(source, "source is null");
        this.cancel = requireNonNull(cancel, "cancel is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public TableFunctionProcessorState process()
    {
        if (reading == null) {
            reading = new FutureTask<>(source::get) {
                @Override
                protected void done()
                {
                    ended.complete(null);
                }
            };
            executor.execute(reading);
        }
        if (!reading.isDone()) {
            return Blocked.blocked(ended.copy());
        }
        if (rows == null) {
            rows = getFutureValue(reading, TrinoException.class).iterator();
        }
        if (!rows.hasNext()) {
            return FINISHED;
        }
        PageBuilder page = new PageBuilder(types);
        while (rows.hasNext() && !page.isFull()) {
            append(page, rows.next());
        }
        return Processed.produced(page.build());
    }

    @Override
    public void close()
    {
        cancel.run();
        if (reading != null) {
            reading.cancel(true);
        }
    }

    private void append(PageBuilder page, List<Object> row)
    {
        page.declarePosition();
        for (int column = 0; column < types.size(); column++) {
            Object value = row.get(column);
            writeNativeValue(types.get(column), page.getBlockBuilder(column), value instanceof String text ? Slices.utf8Slice(text) : value);
        }
    }
}
