package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.ColumnBatch;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Random;

import static java.lang.Math.ceilDiv;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes a batch of one column as the extension does: see server-udf/src/pure/column_batch.h. */
final class WrittenBatch
{
    private static final int COLUMNS_START = 48;
    private static final int BUFFERS_START = 72;
    private static final int MOST_BYTES_OF_TEXT = 40;
    // Buffers begin at multiples of it.
    private static final int ALIGNMENT = 8;

    private WrittenBatch()
    {}

    /** @param nullEvery one row in so many is NULL, none if 0 */
    static ColumnBatch of(BatchColumn column, int rows, int nullEvery)
            throws SQLException
    {
        ByteBuffer out = ByteBuffer.allocate(BUFFERS_START + rows * (MOST_BYTES_OF_TEXT + ALIGNMENT) + 64).order(LITTLE_ENDIAN);
        out.put(0, new byte[] {'M', 'P', 'Q', 'B'}).putShort(4, (short) 1).putShort(6, (short) 1).putInt(8, rows).putInt(12, ColumnBatch.RANGE_ENDED);
        out.putInt(COLUMNS_START, column.layout());
        out.position(BUFFERS_START);
        if (nullEvery > 0) {
            out.putInt(COLUMNS_START + 4, ceilDiv(rows, nullEvery)).putInt(COLUMNS_START + 8, out.position());
            out.put(validity(rows, nullEvery));
            align(out);
        }
        out.putInt(COLUMNS_START + 12, out.position());
        if (column == BatchColumn.VARCHAR) {
            putTexts(out, rows);
        }
        else {
            Random random = new Random(11);
            for (int row = 0; row < rows; row++) {
                column.put(out, random);
            }
        }
        align(out);
        out.putLong(16, out.position());
        return ColumnBatch.of(out.array(), 0, out.position(), 1);
    }

    private static byte[] validity(int rows, int nullEvery)
    {
        byte[] bits = new byte[ceilDiv(rows, Byte.SIZE)];
        for (int row = 0; row < rows; row++) {
            if (row % nullEvery != 0) {
                bits[row / Byte.SIZE] |= (byte) (1 << row % Byte.SIZE);
            }
        }
        return bits;
    }

    private static void putTexts(ByteBuffer out, int rows)
    {
        Random random = new Random(11);
        int end = 0;
        out.putInt(end);
        for (int row = 0; row < rows; row++) {
            end += random.nextInt(8, MOST_BYTES_OF_TEXT);
            out.putInt(end);
        }
        align(out);
        out.putInt(COLUMNS_START + 16, out.position()).putInt(COLUMNS_START + 20, end);
        out.put("x".repeat(end).getBytes(UTF_8));
    }

    private static void align(ByteBuffer out)
    {
        out.position(ceilDiv(out.position(), ALIGNMENT) * ALIGNMENT);
    }
}
