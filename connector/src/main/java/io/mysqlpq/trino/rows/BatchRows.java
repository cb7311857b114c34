package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.ColumnBatch;
import io.mysqlpq.trino.cells.CompressedBatches;
import io.mysqlpq.trino.cells.DriverSocket;
import io.mysqlpq.trino.cells.PacketRows;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Reads the column batches of one statement, each once, and checks that none is missing. */
final class BatchRows
{
    private final PacketRows cells;
    private final CompressedBatches compressed = new CompressedBatches();
    private final int columns;
    private int next;
    private boolean filledLast;
    private long number;
    private long rowsBefore;
    private boolean ended;

    private BatchRows(DriverSocket socket, int columns)
    {
        this.cells = new PacketRows(socket, 1);
        this.columns = columns;
    }

    /** Takes over the statement's rows. Empty if they cannot be read past the driver. */
    static Optional<BatchRows> of(ResultSet rows, int columns)
            throws SQLException
    {
        return DriverSocket.of(rows).map(socket -> new BatchRows(socket, columns));
    }

    /** Waits for the first batch, or for the error in place of it. */
    void readFirst()
            throws SQLException
    {
        filledLast = cells.fill();
    }

    /** Returns the next batch, which is good until the one after is read. Empty after the statement's last batch. */
    Optional<ColumnBatch> next()
            throws SQLException
    {
        while (true) {
            while (next == cells.rows()) {
                if (filledLast) {
                    return Optional.empty();
                }
                filledLast = cells.fill();
                next = 0;
            }
            int length = cells.lengths(0)[next];
            int offset = cells.offsets(0)[next];
            next++;
            if (length != PacketRows.NULL) {
                return Optional.of(checked(batch(offset, length)));
            }
            // The statement has more batches than the range may need. Those after the last are NULL.
            if (!ended) {
                throw ColumnBatch.malformed("is missing");
            }
        }
    }

    private ColumnBatch batch(int offset, int length)
            throws SQLException
    {
        return CompressedBatches.isCompressed(cells.buffer(), offset, length)
                ? compressed.decompress(cells.buffer(), offset, length, columns)
                : ColumnBatch.of(cells.buffer(), offset, length, columns);
    }

    private ColumnBatch checked(ColumnBatch batch)
            throws SQLException
    {
        if (ended || batch.number() != number || batch.rowsBefore() != rowsBefore) {
            throw ColumnBatch.malformed("is number %d after %d rows, not number %d after %d".formatted(batch.number(), batch.rowsBefore(), number, rowsBefore));
        }
        number++;
        rowsBefore += batch.rows();
        ended = batch.end() != ColumnBatch.MORE && batch.end() != ColumnBatch.PIECE_ENDED;
        return batch;
    }

    long retainedBytes()
    {
        return cells.retainedBytes() + compressed.retainedBytes();
    }

    /** Bytes that the network did not carry, because batches came compressed. */
    long savedBytes()
    {
        return compressed.saved();
    }
}
