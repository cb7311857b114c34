package io.mysqlpq.trino.rows;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/** Makes pages of column batches, and goes on by SQL where MySQL itself has to read a row. */
public final class NativePages
        implements RowPages
{
    /** How a scan goes on after the row of a cursor, or from its beginning. */
    public interface Continuation
    {
        /** Further batches. Empty if the extension refuses them by now. */
        Optional<NativeBatches> scan(String cursor)
                throws SQLException;

        /**
         * All rows that are left.
         *
         * @param unusual the column whose cell is not as usual, if it is not the extension that leaves them
         */
        RowPages rows(Optional<String> cursor, OptionalInt unusual)
                throws SQLException;
    }

    private final List<NativeColumn> columns;
    private final Continuation continuation;
    private NativeBatches batches;
    // Of the batches that became pages.
    private Optional<String> cursor = Optional.empty();
    private OptionalInt unusual = OptionalInt.empty();
    @Nullable
    private RowPages rest;
    private boolean finished;

    public NativePages(NativeBatches batches, List<NativeColumn> columns, Continuation continuation)
    {
        this.batches = requireNonNull(batches, "batches is null");
        this.columns = ImmutableList.copyOf(columns);
        this.continuation = requireNonNull(continuation, "continuation is null");
    }

    @Override
    public Page next()
            throws SQLException
    {
        while (rest == null) {
            Optional<ColumnBatch> batch = batches.next();
            if (batch.isEmpty()) {
                scanOn();
                continue;
            }
            Optional<Page> page = page(batch.get());
            if (page.isEmpty()) {
                batches.drain();
                goOnByRows();
                continue;
            }
            int end = batch.get().end();
            cursor = batch.get().cursor();
            if (end == ColumnBatch.STOPPED) {
                batches.drain();
                goOnByRows();
            }
            else if (end == ColumnBatch.RANGE_ENDED) {
                batches.drain();
                finished = true;
            }
            if (page.get().getPositionCount() > 0 || finished) {
                return page.get();
            }
        }
        return rest.next();
    }

    // Empty if a cell is unusual.
    private Optional<Page> page(ColumnBatch batch)
            throws SQLException
    {
        Block[] blocks = new Block[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            try {
                blocks[column] = columns.get(column).decoder().decode(batch, column);
            }
            catch (UnusualCellException _) {
                unusual = OptionalInt.of(column);
                return Optional.empty();
            }
        }
        return Optional.of(new Page(batch.rows(), blocks));
    }

    // The statement allowed fewer batches than the range has.
    private void scanOn()
            throws SQLException
    {
        batches.close();
        Optional<NativeBatches> further = continuation.scan(cursor.orElseThrow(() -> ColumnBatch.malformed("says neither where the scan goes on nor that it ended")));
        if (further.isPresent()) {
            batches = further.get();
        }
        else {
            goOnByRows();
        }
    }

    private void goOnByRows()
            throws SQLException
    {
        rest = continuation.rows(cursor, unusual);
    }

    @Override
    public boolean isFinished()
    {
        return rest == null ? finished : rest.isFinished();
    }

    @Override
    public boolean isByDriver()
    {
        return false;
    }

    @Override
    public long blocksByDriver()
    {
        return rest == null ? 0 : rest.blocksByDriver();
    }

    @Override
    public boolean isNative()
    {
        return true;
    }

    @Override
    public boolean isStopped()
    {
        return rest != null;
    }

    @Override
    public void close()
            throws SQLException
    {
        batches.close();
        if (rest != null) {
            rest.close();
        }
    }

    @Override
    public long retainedBytes()
    {
        return rest == null ? batches.retainedBytes() : rest.retainedBytes();
    }
}
