package io.mysqlpq.extension;

import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds a batch of mysql_pq_scan, read strictly by the words of pure/column_batch.h.
 *
 * @param cursor null if there is none
 * @param validator null if there is none
 * @param unchanged how many known pieces between the batch before and this one have not changed
 * @param columns of each its cells: integers, or bytes; null for NULL
 */
public record ScanBatch(int end, long number, long rowsBefore, String cursor, String validator, int unchanged, int rows, List<List<Object>> columns)
{
    public static final int MORE = 0;
    public static final int RANGE_ENDED = 1;
    public static final int STOPPED = 2;
    public static final int UNCHANGED = 3;
    public static final int PIECE_ENDED = 4;

    private static final int HEADER = 48;
    private static final int COLUMN_HEADER = 24;
    // By the number of a layout.
    private static final int[] WIDTHS = {0, 1, 2, 4, 8, 16};
    private static final int BYTES = 6;

    public static ScanBatch parse(byte[] sent)
    {
        byte[] bytes = decompressed(sent);
        ByteBuffer batch = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        ScanBatch header = parseHeader(bytes);
        List<List<Object>> columns = new ArrayList<>();
        for (int column = 0; column < batch.getShort(6); column++) {
            columns.add(cells(batch, HEADER + column * COLUMN_HEADER, header.rows));
        }
        return new ScanBatch(header.end, header.number, header.rowsBefore, header.cursor, header.validator, header.unchanged, header.rows, columns);
    }

    // A frame of Zstandard behind "MPQZ" and the size, as scan/batch_compression.h has it.
    private static byte[] decompressed(byte[] sent)
    {
        if (!new String(sent, 0, 4, UTF_8).equals("MPQZ")) {
            return sent;
        }
        byte[] bytes = new byte[ByteBuffer.wrap(sent).order(ByteOrder.LITTLE_ENDIAN).getInt(4)];
        assertThat(new ZstdJavaDecompressor().decompress(sent, 8, sent.length - 8, bytes, 0, bytes.length)).isEqualTo(bytes.length);
        return bytes;
    }

    /** The cells row by row. */
    List<List<Object>> cellsOfRows()
    {
        return IntStream.range(0, rows).mapToObj(row -> columns.stream().map(column -> column.get(row)).toList()).toList();
    }

    /** Without the columns. */
    static ScanBatch parseHeader(byte[] bytes)
    {
        ByteBuffer batch = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(new String(bytes, 0, 4, UTF_8)).isEqualTo("MPQB");
        assertThat(batch.getShort(4)).isEqualTo((short) 1);
        assertThat(batch.getLong(16)).isEqualTo(bytes.length);
        String text = batch.getInt(28) == 0 ? "" : new String(bytes, batch.getInt(28), batch.getInt(40), UTF_8);
        int endOfCursor = text.startsWith("[") ? text.lastIndexOf(']') + 1 : 0;
        return new ScanBatch(
                batch.getInt(12),
                Integer.toUnsignedLong(batch.getInt(24)),
                batch.getLong(32),
                textOrNull(text.substring(0, endOfCursor)),
                textOrNull(text.substring(endOfCursor)),
                batch.getInt(44),
                batch.getInt(8),
                List.of());
    }

    private static String textOrNull(String text)
    {
        return text.isEmpty() ? null : text;
    }

    /** Whether batches follow. */
    boolean isFollowed()
    {
        return end == MORE || end == PIECE_ENDED;
    }

    private static List<Object> cells(ByteBuffer batch, int header, int rows)
    {
        int validity = batch.getInt(header + 8);
        List<Object> cells = new ArrayList<>();
        int nulls = 0;
        for (int row = 0; row < rows; row++) {
            boolean isNull = validity != 0 && (batch.get(validity + row / 8) >> row % 8 & 1) == 0;
            nulls += isNull ? 1 : 0;
            cells.add(isNull ? null : cell(batch, header, row));
        }
        assertThat(batch.getInt(header + 4)).isEqualTo(nulls);
        return cells;
    }

    private static Object cell(ByteBuffer batch, int header, int row)
    {
        int layout = batch.getInt(header);
        int values = batch.getInt(header + 12);
        if (layout == BYTES) {
            int begin = batch.getInt(values + 4 * row);
            byte[] cell = new byte[batch.getInt(values + 4 * row + 4) - begin];
            batch.get(batch.getInt(header + 16) + begin, cell);
            return cell;
        }
        byte[] cell = new byte[WIDTHS[layout]];
        batch.get(values + cell.length * row, cell);
        for (int i = 0; i < cell.length / 2; i++) {
            byte low = cell[i];
            cell[i] = cell[cell.length - 1 - i];
            cell[cell.length - 1 - i] = low;
        }
        return new BigInteger(cell);
    }
}
