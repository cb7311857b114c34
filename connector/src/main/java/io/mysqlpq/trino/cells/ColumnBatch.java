package io.mysqlpq.trino.cells;

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
public final class ColumnBatch
{
    public static final int MORE = 0;
    public static final int RANGE_ENDED = 1;
    public static final int STOPPED = 2;
    public static final int UNCHANGED = 3;
    public static final int PIECE_ENDED = 4;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    // "MPQB"
    private static final int MAGIC = 0x4251504D;
    private static final short VERSION = 1;
    private static final int HEADER = 48;
    private static final int COLUMN_HEADER = 24;
    private static final int MOST_ROWS = 65_536;

    // How values are laid out, and how many bytes each takes.
    private static final int INT8 = 1;
    private static final int INT16 = 2;
    private static final int INT32 = 3;
    private static final int INT64 = 4;
    private static final int INT128 = 5;
    private static final int BYTES = 6;
    private static final int[] WIDTHS = {0, 1, 2, 4, 8, 16, 4};

    private final MemorySegment batch;
    private final int rows;

    private ColumnBatch(MemorySegment batch)
    {
        this.batch = batch;
        this.rows = batch.get(INT, 8);
    }

    /** @throws SQLException if the bytes are not a batch of that many columns */
    public static ColumnBatch of(byte[] buffer, int offset, int length, int columns)
            throws SQLException
    {
        if (length < HEADER) {
            throw malformed("has %d bytes".formatted(length));
        }
        MemorySegment batch = MemorySegment.ofArray(buffer).asSlice(offset, length);
        // There is nothing in what has not changed.
        int wanted = batch.get(INT, 12) == UNCHANGED ? 0 : columns;
        if (batch.get(INT, 0) != MAGIC || batch.get(SHORT, 4) != VERSION || batch.get(SHORT, 6) != wanted || batch.get(LONG, 16) != length) {
            throw malformed("begins with other than what was asked for");
        }
        if (length < HEADER + wanted * COLUMN_HEADER) {
            throw malformed("has %d bytes".formatted(length));
        }
        if (batch.get(INT, 8) < 0 || batch.get(INT, 8) > MOST_ROWS) {
            throw malformed("has %d rows".formatted(batch.get(INT, 8)));
        }
        ColumnBatch checked = new ColumnBatch(batch);
        checked.checkPlaces(wanted);
        return checked;
    }

    // All that is read later lies in the batch.
    private void checkPlaces(int columns)
            throws SQLException
    {
        if (end() < MORE || end() > PIECE_ENDED || unchanged() < 0) {
            throw malformed("ends by %d".formatted(end()));
        }
        long bytes = place(batch.get(INT, 28), batch.get(INT, 40));
        for (int column = 0; column < columns; column++) {
            int layout = header(column, 0);
            if (layout < INT8 || layout > BYTES) {
                throw malformed("has a column of the layout %d".formatted(layout));
            }
            if (header(column, 8) != 0) {
                bytes += place(header(column, 8), ceilDiv(rows, Byte.SIZE));
            }
            bytes += place(header(column, 12), WIDTHS[layout] * (layout == BYTES ? rows + 1 : rows));
            if (layout == BYTES) {
                bytes += place(header(column, 16), header(column, 20));
            }
        }
        // Columns that share bytes would each make a copy of them.
        if (bytes > batch.byteSize()) {
            throw malformed("has buffers of %d bytes, more than its %d bytes".formatted(bytes, batch.byteSize()));
        }
    }

    // Returns the size.
    private int place(int start, int size)
            throws SQLException
    {
        if (start < 0 || size < 0 || start + (long) size > batch.byteSize()) {
            throw malformed("has %d bytes at %d of %d".formatted(size, start, batch.byteSize()));
        }
        return size;
    }

    public static SQLException malformed(String what)
    {
        return new SQLNonTransientConnectionException("The extension sent a column batch that " + what, "08S01");
    }

    public int rows()
    {
        return rows;
    }

    /** {@link #MORE}, {@link #RANGE_ENDED}, {@link #STOPPED}, {@link #UNCHANGED} or {@link #PIECE_ENDED}. */
    public int end()
    {
        return batch.get(INT, 12);
    }

    public long number()
    {
        return Integer.toUnsignedLong(batch.get(INT, 24));
    }

    public long rowsBefore()
    {
        return batch.get(LONG, 32);
    }

    /** Counts known pieces between the batch before and this one that have not changed. */
    public int unchanged()
    {
        return batch.get(INT, 44);
    }

    /** Returns where a scan goes on after the batch. Empty if the range has ended, or if no row was read. */
    public Optional<String> cursor()
    {
        String text = text();
        return present(text.substring(0, endOfCursor(text)));
    }

    /** Returns that of the piece that ends with the batch. Empty if none was wanted, or none could be given. */
    public Optional<String> validator()
    {
        String text = text();
        return present(text.substring(endOfCursor(text)));
    }

    // A cursor is an array of JSON, and a validator has no brackets.
    private static int endOfCursor(String text)
    {
        return text.startsWith("[") ? text.lastIndexOf(']') + 1 : 0;
    }

    private static Optional<String> present(String text)
    {
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    private String text()
    {
        int start = batch.get(INT, 28);
        return start == 0 ? "" : new String(batch.asSlice(start, batch.get(INT, 40)).toArray(ValueLayout.JAVA_BYTE), UTF_8);
    }

    /** Returns a bit for each row, which is set if the column is not NULL. Empty if the column has no NULL. */
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
            throws SQLException
    {
        byte[] values = new byte[rows];
        MemorySegment.copy(batch, ValueLayout.JAVA_BYTE, values(column, INT8), values, 0, rows);
        return values;
    }

    short[] shorts(int column)
            throws SQLException
    {
        int start = values(column, INT16);
        short[] values = new short[rows];
        if (header(column, 0) == INT8) {
            for (int row = 0; row < rows; row++) {
                values[row] = batch.get(ValueLayout.JAVA_BYTE, start + row);
            }
            return values;
        }
        MemorySegment.copy(batch, SHORT, start, values, 0, rows);
        return values;
    }

    int[] ints(int column)
            throws SQLException
    {
        int start = values(column, INT32);
        int layout = header(column, 0);
        if (layout == INT32) {
            return ints(start, rows);
        }
        int[] values = new int[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = layout == INT8 ? batch.get(ValueLayout.JAVA_BYTE, start + row) : batch.get(SHORT, start + 2L * row);
        }
        return values;
    }

    /** Says where values of text and bytes end in {@link #data}, after a 0. */
    int[] ends(int column)
            throws SQLException
    {
        int[] ends = ints(values(column, BYTES), rows + 1);
        boolean ordered = ends[0] == 0;
        for (int row = 0; row < rows; row++) {
            ordered &= ends[row] <= ends[row + 1];
        }
        if (!ordered || ends[rows] > header(column, 20)) {
            throw malformed("has values that end elsewhere than where others begin");
        }
        return ends;
    }

    private int[] ints(int start, int count)
    {
        int[] values = new int[count];
        MemorySegment.copy(batch, INT, start, values, 0, count);
        return values;
    }

    /** @param perRow how many each value takes */
    long[] longs(int column, int perRow)
            throws SQLException
    {
        int start = values(column, perRow == 1 ? INT64 : INT128);
        int layout = header(column, 0);
        if (layout == INT128) {
            return copied(start, rows * perRow);
        }
        long[] values = layout == INT64 ? copied(start, rows) : widened(start, layout);
        if (perRow == 1) {
            return values;
        }
        long[] pairs = new long[2 * rows];
        for (int row = 0; row < rows; row++) {
            pairs[2 * row] = values[row];
            pairs[2 * row + 1] = values[row] >> (Long.SIZE - 1);
        }
        return pairs;
    }

    private long[] copied(int start, int count)
    {
        long[] values = new long[count];
        MemorySegment.copy(batch, LONG, start, values, 0, count);
        return values;
    }

    private long[] widened(int start, int layout)
    {
        long[] values = new long[rows];
        switch (layout) {
            case INT8 -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = batch.get(ValueLayout.JAVA_BYTE, start + row);
                }
            }
            case INT16 -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = batch.get(SHORT, start + 2L * row);
                }
            }
            default -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = batch.get(INT, start + 4L * row);
                }
            }
        }
        return values;
    }

    /** What {@link #ends} cuts. */
    byte[] data(int column)
    {
        byte[] data = new byte[header(column, 20)];
        MemorySegment.copy(batch, ValueLayout.JAVA_BYTE, header(column, 16), data, 0, data.length);
        return data;
    }

    // Where those of the column begin. Numbers may come in a narrower layout.
    private int values(int column, int layout)
            throws SQLException
    {
        if (header(column, 0) != layout && (layout == BYTES || header(column, 0) > layout)) {
            throw malformed("has a column of the layout %d in the place of %d".formatted(header(column, 0), layout));
        }
        return header(column, 12);
    }

    private int header(int column, int offset)
    {
        return batch.get(INT, HEADER + (long) column * COLUMN_HEADER + offset);
    }
}
