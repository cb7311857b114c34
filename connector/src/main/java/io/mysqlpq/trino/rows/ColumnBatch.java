package io.mysqlpq.trino.rows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Optional;

import static java.lang.Math.ceilDiv;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Holds a batch of columns as the extension sends it, in a part of a buffer.
 *
 * <p>Source: server-udf/src/pure/column_batch.h.
 */
final class ColumnBatch
{
    static final int MORE = 0;
    static final int RANGE_ENDED = 1;
    static final int STOPPED = 2;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    // "MPQB"
    private static final int MAGIC = 0x4251504D;
    private static final short VERSION = 1;
    private static final int HEADER = 48;
    private static final int COLUMN_HEADER = 24;
    private static final int MOST_ROWS = 65_536;

    private final MemorySegment batch;
    private final int rows;

    private ColumnBatch(MemorySegment batch)
    {
        this.batch = batch;
        this.rows = batch.get(INT, 8);
    }

    /** @throws SQLException if it is not a batch of so many columns */
    static ColumnBatch of(byte[] buffer, int offset, int length, int columns)
            throws SQLException
    {
        if (length < HEADER + columns * COLUMN_HEADER) {
            throw malformed("has %d bytes".formatted(length));
        }
        MemorySegment batch = MemorySegment.ofArray(buffer).asSlice(offset, length);
        if (batch.get(INT, 0) != MAGIC || batch.get(SHORT, 4) != VERSION || batch.get(SHORT, 6) != columns || batch.get(LONG, 16) != length) {
            throw malformed("begins with other than what was asked for");
        }
        if (batch.get(INT, 8) < 0 || batch.get(INT, 8) > MOST_ROWS) {
            throw malformed("has %d rows".formatted(batch.get(INT, 8)));
        }
        return new ColumnBatch(batch);
    }

    static SQLException malformed(String what)
    {
        return new SQLNonTransientConnectionException("The extension sent a column batch that " + what, "08S01");
    }

    int rows()
    {
        return rows;
    }

    /** {@link #MORE}, {@link #RANGE_ENDED} or {@link #STOPPED}. */
    int end()
    {
        return batch.get(INT, 12);
    }

    long number()
    {
        return Integer.toUnsignedLong(batch.get(INT, 24));
    }

    long rowsBefore()
    {
        return batch.get(LONG, 32);
    }

    /** Where a scan goes on after the batch; empty if that is where it began, or ended. */
    Optional<String> cursor()
    {
        int start = batch.get(INT, 28);
        return start == 0 ? Optional.empty() : Optional.of(new String(batch.asSlice(start, batch.get(INT, 40)).toArray(ValueLayout.JAVA_BYTE), UTF_8));
    }

    /** A bit for each row that is set where the column is not NULL. Empty if it never is. */
    Optional<long[]> valid(int column)
    {
        int start = header(column, 8);
        if (start == 0) {
            return Optional.empty();
        }
        long[] valid = new long[ceilDiv(rows, Long.SIZE)];
        MemorySegment.copy(batch, start, MemorySegment.ofArray(valid), 0, ceilDiv(rows, Byte.SIZE));
        return Optional.of(valid);
    }

    byte[] bytes(int column)
    {
        byte[] values = new byte[rows];
        MemorySegment.copy(batch, ValueLayout.JAVA_BYTE, header(column, 12), values, 0, rows);
        return values;
    }

    short[] shorts(int column)
    {
        short[] values = new short[rows];
        MemorySegment.copy(batch, SHORT, header(column, 12), values, 0, rows);
        return values;
    }

    int[] ints(int column)
    {
        return ints(column, rows);
    }

    /** Of text and bytes, where they end in {@link #data}, after a 0. */
    int[] ends(int column)
    {
        return ints(column, rows + 1);
    }

    private int[] ints(int column, int count)
    {
        int[] values = new int[count];
        MemorySegment.copy(batch, INT, header(column, 12), values, 0, count);
        return values;
    }

    /** @param perRow how many each value takes */
    long[] longs(int column, int perRow)
    {
        long[] values = new long[rows * perRow];
        MemorySegment.copy(batch, LONG, header(column, 12), values, 0, values.length);
        return values;
    }

    byte[] data(int column)
    {
        int size = header(column, 20);
        if (size < 0 || size > batch.byteSize()) {
            throw new IllegalStateException("The extension sent a column batch with %d bytes of a column".formatted(size));
        }
        byte[] data = new byte[size];
        MemorySegment.copy(batch, ValueLayout.JAVA_BYTE, header(column, 16), data, 0, data.length);
        return data;
    }

    private int header(int column, int offset)
    {
        return batch.get(INT, HEADER + (long) column * COLUMN_HEADER + offset);
    }
}
