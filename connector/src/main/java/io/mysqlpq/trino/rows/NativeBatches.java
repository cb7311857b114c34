package io.mysqlpq.trino.rows;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.cells.ColumnBatch;
import io.mysqlpq.trino.cells.UnusualCellException;
import io.mysqlpq.trino.types.NativeColumn;
import io.trino.spi.Page;
import io.trino.spi.block.Block;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/** Reads the column batches of a statement as pages, and closes it. */
public final class NativeBatches
        implements AutoCloseable
{
    private final PreparedStatement statement;
    private final BatchRows batches;
    private final List<NativeColumn> columns;
    // The next batch, if it was looked at beforehand.
    private Optional<ColumnBatch> first = Optional.empty();

    private NativeBatches(PreparedStatement statement, BatchRows batches, List<NativeColumn> columns)
    {
        this.statement = requireNonNull(statement, "statement is null");
        this.batches = requireNonNull(batches, "batches is null");
        this.columns = ImmutableList.copyOf(columns);
    }

    /**
     * Executes the statement and waits for its first batch, with which the extension says whether it reads the table at all.
     *
     * @return empty if batches cannot be read past the driver
     */
    public static Optional<NativeBatches> of(PreparedStatement statement, List<NativeColumn> columns)
            throws SQLException
    {
        boolean opened = false;
        try {
            Optional<BatchRows> batches = BatchRows.of(statement.executeQuery(), columns.size());
            if (batches.isPresent()) {
                batches.get().readFirst();
            }
            opened = batches.isPresent();
            return batches.map(read -> new NativeBatches(statement, read, columns));
        }
        finally {
            if (!opened) {
                statement.close();
            }
        }
    }

    /** Whether the extension gives nothing, since the validator that it was given still holds. To be asked before the first batch is read. */
    public boolean isUnchanged()
            throws SQLException
    {
        first = batches.next();
        return first.isPresent() && first.get().end() == ColumnBatch.UNCHANGED;
    }

    /** Returns the next batch as a page. Empty after the statement's last batch. */
    public Optional<NativePage> next()
            throws SQLException
    {
        Optional<ColumnBatch> batch = first.isPresent() ? first : batches.next();
        first = Optional.empty();
        return batch.isPresent() ? Optional.of(page(batch.get())) : Optional.empty();
    }

    private NativePage page(ColumnBatch batch)
            throws SQLException
    {
        if (batch.end() == ColumnBatch.UNCHANGED) {
            return new NativePage(Optional.of(new Page(0)), OptionalInt.empty(), batch.unchanged(), NativePage.End.UNCHANGED, Optional.empty(), Optional.empty());
        }
        Block[] blocks = new Block[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            try {
                blocks[column] = columns.get(column).decoder().decode(batch, column);
            }
            catch (UnusualCellException _) {
                return new NativePage(Optional.empty(), OptionalInt.of(column), batch.unchanged(), end(batch), batch.cursor(), batch.validator());
            }
        }
        return new NativePage(Optional.of(new Page(batch.rows(), blocks)), OptionalInt.empty(), batch.unchanged(), end(batch), batch.cursor(), batch.validator());
    }

    private static NativePage.End end(ColumnBatch batch)
    {
        return switch (batch.end()) {
            case ColumnBatch.RANGE_ENDED -> NativePage.End.RANGE_ENDED;
            case ColumnBatch.STOPPED -> NativePage.End.STOPPED;
            case ColumnBatch.PIECE_ENDED -> NativePage.End.PIECE_ENDED;
            default -> NativePage.End.MORE;
        };
    }

    /** Makes the failure of a statement whose batches end before the range does, without a cursor. */
    public static SQLException withoutCursor()
    {
        return ColumnBatch.malformed("says neither where the scan goes on nor that it ended");
    }

    /** Makes the failure of a scan that says of more pieces that they have not changed than it was told of, or of fewer than it passed. */
    public static SQLException unchangedSinceNothing()
    {
        return ColumnBatch.malformed("says that nothing changed since an earlier scan, and was told of another one");
    }

    /** Reads the rest of the statement, so that other statements can follow. */
    public void drain()
            throws SQLException
    {
        while (batches.next().isPresent()) {
            // Batches after one with an unusual cell are read again by SQL.
        }
        close();
    }

    @Override
    public void close()
            throws SQLException
    {
        statement.close();
    }

    public long retainedBytes()
    {
        return batches.retainedBytes();
    }

    /** Bytes that the network did not carry, because batches came compressed. */
    public long savedBytes()
    {
        return batches.savedBytes();
    }
}
