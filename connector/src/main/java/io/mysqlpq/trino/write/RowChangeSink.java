package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Closer;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorPageSinkId;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_INVALID_DATE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.trino.spi.block.RowBlock.getRowFieldsFromBlock;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TinyintType.TINYINT;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Distributes Trino's pages of changed rows to the writers of inserts, deletes and each case of updates. A writer opens its connection with
 * its first row.
 *
 * <p>A page holds the table's columns, the number of the operation, the number of the MERGE's case, and the row's id: the key, and a row of
 * old values.
 */
final class RowChangeSink
        implements ConnectorMergeSink
{
    private final RowChangeHandle handle;
    private final ConnectorPageSinkId id;
    private final LazyPageSink inserts;
    private final LazyPageSink deletes;
    private final Map<Integer, LazyPageSink> updates;
    private final RemoteTableName table;
    private final int columns;
    private final int[] insertedChannels;
    private final int[] computedChannels;
    private final Map<Integer, int[]> updatedChannels;
    private final KeptValues kept;
    // Where the compared columns stand in a row of old values.
    private final int[] comparedFields;

    RowChangeSink(RowChangeHandle handle, ConnectorPageSinkId id, LazyPageSink inserts, LazyPageSink deletes, Map<Integer, LazyPageSink> updates)
    {
        this.handle = requireNonNull(handle, "handle is null");
        this.id = requireNonNull(id, "id is null");
        this.inserts = requireNonNull(inserts, "inserts is null");
        this.deletes = requireNonNull(deletes, "deletes is null");
        this.updates = new TreeMap<>(updates);
        this.table = handle.getTableHandle().getRequiredNamedRelation().getRemoteTableName();
        List<JdbcColumnHandle> pageColumns = handle.getPageColumns();
        this.columns = pageColumns.size();
        this.insertedChannels = channels(pageColumns, handle.getDataColumns());
        this.computedChannels = channels(pageColumns, pageColumns.stream().filter(column -> !handle.getDataColumns().contains(column)).toList());
        this.updatedChannels = updates.keySet().stream().collect(toImmutableMap(number -> number, number -> channels(pageColumns, handle.updatedColumns(number))));
        this.kept = handle.old();
        this.comparedFields = channels(handle.getOldColumns(), ComparedColumn.columns(kept.compared()));
    }

    private static int[] channels(List<JdbcColumnHandle> columns, List<JdbcColumnHandle> some)
    {
        return some.stream().mapToInt(columns::indexOf).toArray();
    }

    @Override
    public void storeMergedRows(Page page)
    {
        Block operations = page.getBlock(columns);
        Block cases = page.getBlock(columns + 1);
        List<Block> rowId = getRowFieldsFromBlock(page.getBlock(columns + 2));

        int[] inserted = positions(operations, INSERT_OPERATION_NUMBER);
        checkComputedColumns(page, inserted);
        append(inserts, inserted, blocks(page, insertedChannels, inserted));
        int[] deleted = positions(operations, DELETE_OPERATION_NUMBER);
        append(deletes, deleted, keyAndOldValues(rowId, deleted));
        int[] updated = positions(operations, UPDATE_OPERATION_NUMBER);
        updates.forEach((number, sink) -> {
            int[] ofCase = IntStream.of(updated).filter(position -> INTEGER.getInt(cases, position) == number).toArray();
            append(sink, ofCase, Stream.concat(blocks(page, updatedChannels.get(number), ofCase), keyAndOldValues(rowId, ofCase)));
        });
    }

    private static int[] positions(Block operations, int operation)
    {
        return IntStream.range(0, operations.getPositionCount()).filter(position -> TINYINT.getByte(operations, position) == operation).toArray();
    }

    // A MERGE gives NULL to columns that its INSERT does not name.
    private void checkComputedColumns(Page page, int[] inserted)
    {
        for (int channel : computedChannels) {
            Block values = page.getBlock(channel);
            if (IntStream.of(inserted).anyMatch(position -> !values.isNull(position))) {
                throw ColumnRules.refusal(table, handle.getPageColumns().get(channel).getColumnName());
            }
        }
    }

    private static Stream<Block> blocks(Page page, int[] channels, int[] positions)
    {
        return IntStream.of(channels).mapToObj(channel -> at(page.getBlock(channel), positions));
    }

    private static Block at(Block block, int[] positions)
    {
        return block.getPositions(positions, 0, positions.length);
    }

    private static void append(LazyPageSink sink, int[] positions, Stream<Block> blocks)
    {
        if (positions.length > 0) {
            sink.append(new Page(positions.length, blocks.toArray(Block[]::new)));
        }
    }

    private Stream<Block> keyAndOldValues(List<Block> rowId, int[] positions)
    {
        int keyColumns = handle.getPrimaryKeys().size();
        checkKey(rowId, positions);
        Stream<Block> key = rowId.subList(0, keyColumns).stream().map(block -> at(block, positions));
        if (kept.compared().isEmpty()) {
            return key;
        }
        List<Block> old = rowId.size() > keyColumns ? getRowFieldsFromBlock(rowId.get(keyColumns)) : ImmutableList.of();
        if (old.size() != handle.getOldColumns().size()) {
            throw new TrinoException(MYSQL_PQ_TABLE_CHANGED, "Table %s was altered after the statement was planned: it had %s columns to compare, and has %s. Run the statement again".formatted(table, old.size(), handle.getOldColumns().size()));
        }
        return Stream.concat(key, kept.keep(IntStream.of(comparedFields).mapToObj(field -> at(old.get(field), positions)).collect(toImmutableList())));
    }

    // A key has no NULL in MySQL. No row would be found by it.
    private void checkKey(List<Block> rowId, int[] positions)
    {
        for (int channel = 0; channel < handle.getPrimaryKeys().size(); channel++) {
            Block values = rowId.get(channel);
            if (IntStream.of(positions).anyMatch(values::isNull)) {
                throw new TrinoException(
                        MYSQL_PQ_INVALID_DATE,
                        "A row of table %s can't be changed: column %s of its primary key holds an invalid date, which Trino reads as NULL (invalid_date_handling). Change that row by system.execute".formatted(
                                table,
                                handle.getPrimaryKeys().get(channel).getColumnName()));
            }
        }
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        sinks().forEach(LazyPageSink::finish);
        Slice writer = Slices.allocate(Long.BYTES);
        writer.setLong(0, id.getId());
        return completedFuture(ImmutableList.of(writer));
    }

    @Override
    public void abort()
    {
        // A writer that cannot be ended must not keep the connections of the others open.
        try (Closer closer = Closer.create()) {
            sinks().forEach(sink -> closer.register(sink::abort));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stream<LazyPageSink> sinks()
    {
        return Stream.concat(Stream.of(inserts, deletes), updates.values().stream());
    }
}
