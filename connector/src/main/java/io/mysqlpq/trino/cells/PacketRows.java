package io.mysqlpq.trino.cells;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Arrays;
import java.util.Optional;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.lang.Math.ceilDiv;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * Holds some rows as MySQL sent them, and finds the cells in them.
 *
 * <p>Source: "Text Resultset Row" of MySQL's client/server protocol. A row is a packet, or several packets if it has 16 MB or more. A
 * packet is its length in three bytes, a number, and then the bytes. A cell is its length in one to nine bytes, and then the bytes of its
 * text.
 */
public final class PacketRows
{
    /** Stands for NULL in the place of a cell's length. */
    public static final int NULL = -1;
    /** Bytes after a cell that a decoder may read as well. */
    static final int SLACK = Long.BYTES;

    private static final int HEADER = 4;
    private static final int LONGEST_PACKET = 0xFF_FFFF;
    private static final int NULL_CELL = 0xFB;
    private static final int LENGTH_OF_TWO_BYTES = 0xFC;
    private static final int LENGTH_OF_THREE_BYTES = 0xFD;
    private static final int LENGTH_OF_EIGHT_BYTES = 0xFE;
    private static final int END = 0xFE;
    private static final int ERROR = 0xFF;

    private static final int MOST_ROWS = 65_536;
    private static final int MOST_CELLS = 262_144;
    private static final int ENOUGH_BYTES = 1 << 20;
    private static final int FIRST_ROWS = 256;
    private static final int FIRST_BYTES = 16_384;
    private static final int MOST_BYTES_KEPT = 4 * ENOUGH_BYTES;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 64;

    private final PacketSource source;
    private final int mostRows;
    private final int[][] offsets;
    private final int[][] lengths;
    private byte[] buffer = new byte[FIRST_BYTES];
    // Where the next packet begins, and the end of the bytes that were read.
    private int position;
    private int limit;
    private int rows;
    private int capacity;

    public PacketRows(PacketSource source, int columns)
    {
        this.source = source;
        this.mostRows = clamp(MOST_CELLS / max(columns, 1), 1, MOST_ROWS);
        this.capacity = min(FIRST_ROWS, mostRows);
        this.offsets = new int[columns][capacity];
        this.lengths = new int[columns][capacity];
    }

    /** Replaces the rows by the next ones. Returns whether they are the last. */
    public boolean fill()
            throws SQLException
    {
        keepUnread();
        rows = 0;
        while (rows < mostRows && position < ENOUGH_BYTES) {
            int length = packet();
            int first = length == 0 ? 0 : buffer[position + HEADER] & 0xFF;
            if (first == ERROR || (first == END && length < LONGEST_PACKET)) {
                source.handBack(buffer, position, limit - position);
                return true;
            }
            addRow(position + HEADER, position + HEADER + length);
            position += HEADER + length;
        }
        return false;
    }

    // A buffer that one long row made large is not kept for others.
    private void keepUnread()
    {
        limit -= position;
        byte[] kept = buffer.length > MOST_BYTES_KEPT && limit <= ENOUGH_BYTES ? new byte[2 * ENOUGH_BYTES] : buffer;
        System.arraycopy(buffer, position, kept, 0, limit);
        buffer = kept;
        position = 0;
    }

    // Has the whole packet in the buffer, and returns its length.
    private int packet()
            throws SQLException
    {
        read(HEADER);
        int length = int24(position);
        read(HEADER + length);
        return length < LONGEST_PACKET ? length : joined();
    }

    private int joined()
            throws SQLException
    {
        int length = LONGEST_PACKET;
        int next;
        do {
            read((long) HEADER + length + HEADER);
            int end = position + HEADER + length;
            next = int24(end);
            read((long) HEADER + length + HEADER + next);
            System.arraycopy(buffer, end + HEADER, buffer, end, limit - end - HEADER);
            limit -= HEADER;
            length += next;
        } while (next == LONGEST_PACKET);
        return length;
    }

    private void read(long bytes)
            throws SQLException
    {
        long end = position + bytes;
        if (end + SLACK > buffer.length) {
            if (end + SLACK > MOST_BYTES) {
                throw new SQLException("MySQL sent a row of over %d bytes".formatted(bytes));
            }
            buffer = Arrays.copyOf(buffer, (int) max(end + SLACK, min(2L * buffer.length, MOST_BYTES)));
        }
        while (limit < end) {
            int needed = (int) end - limit;
            limit += source.read(buffer, limit, needed, min(buffer.length - SLACK - limit, max(needed, ENOUGH_BYTES)));
        }
    }

    private void addRow(int start, int end)
            throws SQLException
    {
        if (rows == capacity) {
            grow();
        }
        int cell = start;
        for (int column = 0; column < offsets.length; column++) {
            int length = cell < end ? buffer[cell] & 0xFF : ERROR;
            cell++;
            if (length >= NULL_CELL) {
                switch (length) {
                    case NULL_CELL -> length = NULL;
                    case LENGTH_OF_TWO_BYTES -> {
                        length = (buffer[cell] & 0xFF) | (buffer[cell + 1] & 0xFF) << 8;
                        cell += 2;
                    }
                    case LENGTH_OF_THREE_BYTES -> {
                        length = int24(cell);
                        cell += 3;
                    }
                    case LENGTH_OF_EIGHT_BYTES -> {
                        length = int24(cell) | (buffer[cell + 3] & 0xFF) << 24;
                        if (length < 0 || (buffer[cell + 4] | buffer[cell + 5] | buffer[cell + 6] | buffer[cell + 7]) != 0) {
                            throw malformed();
                        }
                        cell += 8;
                    }
                    default -> throw malformed();
                }
            }
            if (max(length, 0) > end - cell) {
                throw malformed();
            }
            offsets[column][rows] = cell;
            lengths[column][rows] = length;
            cell += max(length, 0);
        }
        if (cell != end) {
            throw malformed();
        }
        rows++;
    }

    private void grow()
    {
        capacity = min(2 * capacity, mostRows);
        for (int column = 0; column < offsets.length; column++) {
            offsets[column] = Arrays.copyOf(offsets[column], capacity);
            lengths[column] = Arrays.copyOf(lengths[column], capacity);
        }
    }

    private static SQLException malformed()
    {
        return new SQLNonTransientConnectionException("MySQL sent a row that is not one of its protocol", "08S01");
    }

    private int int24(int offset)
    {
        return (buffer[offset] & 0xFF) | (buffer[offset + 1] & 0xFF) << 8 | (buffer[offset + 2] & 0xFF) << 16;
    }

    public int rows()
    {
        return rows;
    }

    public byte[] buffer()
    {
        return buffer;
    }

    /** Where the column's cells begin in the buffer, by row. */
    public int[] offsets(int column)
    {
        return offsets[column];
    }

    /** Bytes of the column's cells, by row, or NULL. */
    public int[] lengths(int column)
    {
        return lengths[column];
    }

    /** Returns a bit for each row, from the lowest bit of the first long on. It is set if the column is not NULL. Empty if the column has no NULL. */
    Optional<long[]> valid(int column)
    {
        int[] cells = lengths[column];
        for (int row = 0; row < rows; row++) {
            if (cells[row] == NULL) {
                return Optional.of(validBits(cells));
            }
        }
        return Optional.empty();
    }

    private long[] validBits(int[] cells)
    {
        long[] valid = new long[ceilDiv(rows, Long.SIZE)];
        for (int row = 0; row < rows; row++) {
            // The sign of a length is set for NULL only.
            valid[row / Long.SIZE] |= (~cells[row] >>> 31 & 1L) << row;
        }
        return valid;
    }

    public byte[] cell(int row, int column)
    {
        int length = lengths[column][row];
        int offset = offsets[column][row];
        return length == NULL ? null : Arrays.copyOfRange(buffer, offset, offset + length);
    }

    public long retainedBytes()
    {
        return sizeOf(buffer) + 2L * offsets.length * capacity * Integer.BYTES;
    }
}
