package io.mysqlpq.trino.operations;

import io.airlift.slice.Slices;
import io.trino.spi.PageBuilder;
import io.trino.spi.function.table.TableFunctionProcessorState;
import io.trino.spi.function.table.TableFunctionProcessorState.Processed;
import io.trino.spi.function.table.TableFunctionSplitProcessor;
import io.trino.spi.type.Type;

import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

import static io.trino.spi.function.table.TableFunctionProcessorState.Finished.FINISHED;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/** Gives rows to Trino, page by page. */
final class RowsProcessor
        implements TableFunctionSplitProcessor
{
    private final List<Type> types;
    private final Supplier<List<List<Object>>> source;
    private Iterator<List<Object>> rows;

    RowsProcessor(List<ResultColumn> columns, Supplier<List<List<Object>>> source)
    {
        this.types = columns.stream().map(ResultColumn::type).toList();
        this.source = requireNonNull(source, "source is null");
    }

    @Override
    public TableFunctionProcessorState process()
    {
        if (rows == null) {
            rows = source.get().iterator();
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

    private void append(PageBuilder page, List<Object> row)
    {
        page.declarePosition();
        for (int column = 0; column < types.size(); column++) {
            Object value = row.get(column);
            writeNativeValue(types.get(column), page.getBlockBuilder(column), value instanceof String text ? Slices.utf8Slice(text) : value);
        }
    }
}
