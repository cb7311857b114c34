package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.PacketSource;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

import static java.lang.Math.min;

/** Sends the same rows again and again, as packets of MySQL. */
final class SentPackets
        implements PacketSource
{
    private static final byte[] END_OF_ROWS = {7, 0, 0, 1, (byte) 0xFE, 0, 0, 2, 0, 0, 0};
    private static final byte NULL_CELL = (byte) 0xFB;
    // MySQL's client asks the socket for so much at once.
    private static final int MOST_BYTES = 1 << 16;

    private final byte[] bytes;
    private int position;

    /** @param nullEvery one row in so many is NULL, none if 0 */
    SentPackets(List<CellColumn> columns, int rows, int nullEvery)
    {
        Random random = new Random(11);
        ByteArrayOutputStream packets = new ByteArrayOutputStream();
        for (int row = 0; row < rows; row++) {
            byte[] payload = payload(columns, random, nullEvery > 0 && row % nullEvery == 0);
            packets.writeBytes(new byte[] {(byte) payload.length, (byte) (payload.length >> 8), (byte) (payload.length >> 16), 0});
            packets.writeBytes(payload);
        }
        packets.writeBytes(END_OF_ROWS);
        this.bytes = packets.toByteArray();
    }

    private static byte[] payload(List<CellColumn> columns, Random random, boolean isNull)
    {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (CellColumn column : columns) {
            byte[] cell = column.bytes(random);
            // All cells are shorter than what takes a length of several bytes.
            payload.write(isNull ? NULL_CELL : cell.length);
            if (!isNull) {
                payload.writeBytes(cell);
            }
        }
        return payload.toByteArray();
    }

    @Override
    public int read(byte[] buffer, int offset, int needed, int room)
    {
        int length = min(min(room, bytes.length - position), MOST_BYTES);
        System.arraycopy(bytes, position, buffer, offset, length);
        position += length;
        return length;
    }

    @Override
    public void handBack(byte[] buffer, int offset, int length)
    {
        position = 0;
    }
}
