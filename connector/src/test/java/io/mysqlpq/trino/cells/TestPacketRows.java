package io.mysqlpq.trino.cells;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Gives {@link PacketRows} packets written here, after MySQL's description of its protocol, and bytes that are none. */
class TestPacketRows
{
    private static final int LONGEST_PACKET = 0xFF_FFFF;
    private static final int ONE_MEGABYTE = 1 << 20;
    private static final byte[] END_OF_ROWS = {7, 0, 0, 1, (byte) 0xFE, 0, 0, 2, 0, 0, 0};
    private static final byte[] FILLER = {'x'};

    private final Random random = Seed.random();

    @Test
    void testAnyRows()
            throws SQLException
    {
        for (int i = 0; i < 50; i++) {
            int columns = 1 + random.nextInt(20);
            List<byte[][]> rows = randomRows(columns, random.nextInt(2000));
            assertRead(rows, columns);
        }
        assertRead(List.of(), 3);
    }

    // A packet holds 16 MB less one byte at most, and one that is full is never the last.
    @ParameterizedTest
    @ValueSource(ints = {LONGEST_PACKET - 1, LONGEST_PACKET, LONGEST_PACKET + 1, 2 * LONGEST_PACKET - 1, 2 * LONGEST_PACKET, 2 * LONGEST_PACKET + 1})
    void testLongRow(int bytes)
            throws SQLException
    {
        byte[] cell = new byte[bytes - lengthBytes(bytes - 9)];
        random.nextBytes(cell);
        byte[][] row = {cell};
        assertThat(payload(row)).hasSize(bytes);
        assertRead(List.of(new byte[][] {FILLER}, row, new byte[][] {null}, row, new byte[][] {FILLER}), 1);
    }

    @Test
    void testBufferOfALongRowIsGivenBack()
            throws SQLException
    {
        List<byte[][]> rows = new ArrayList<>();
        rows.add(new byte[][] {new byte[8 * ONE_MEGABYTE]});
        for (int i = 0; i < 10_000; i++) {
            rows.add(new byte[][] {new byte[1000]});
        }
        Pieces pieces = new Pieces(encode(rows), ONE_MEGABYTE);
        PacketRows batch = new PacketRows(pieces, 1);
        batch.fill();
        assertThat(batch.retainedBytes()).isGreaterThan(8 * ONE_MEGABYTE);
        batch.fill();
        assertThat(batch.retainedBytes()).isLessThan(4 * ONE_MEGABYTE);
    }

    @Test
    void testRowsThatAreNone()
    {
        // A length beyond the packet's end, in each of its forms.
        assertMalformed(1, 5, 'a');
        assertMalformed(1, 0xFC, 200, 0, 'a');
        assertMalformed(1, 0xFD, 200, 0, 0, 'a');
        assertMalformed(1, 1, 'a', 0xFC);
        assertMalformed(2, 1, 'a', 0xFC, 0);
        assertMalformed(2, 1, 'a', 0xFE, 1, 0, 0, 0);
        // Lengths of over 2 GB.
        assertMalformed(2, 1, 'a', 0xFE, 0, 0, 0, 0x80, 0, 0, 0, 0);
        assertMalformed(2, 1, 'a', 0xFE, 0, 0, 0, 0, 1, 0, 0, 0);
        assertMalformed(2, 1, 'a', 0xFE, 0, 0, 0, 0, 0, 0, 0, 0x80);
        // Too few cells, too many, and a byte that begins none.
        assertMalformed(2, 1, 'a');
        assertMalformed(1, 1, 'a', 1, 'b');
        assertMalformed(1, 1, 'a', 0xFB);
        assertMalformed(2, 1, 'a', 0xFF);
        assertMalformed(1);
    }

    @Test
    void testDamagedBytes()
    {
        for (int i = 0; i < 20_000; i++) {
            int columns = 1 + random.nextInt(4);
            byte[] bytes = encode(randomRows(columns, random.nextInt(5)));
            int changes = random.nextInt(4);
            for (int j = 0; j < changes; j++) {
                bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? 0xF8 + random.nextInt(8) : random.nextInt());
            }
            byte[] damaged = Arrays.copyOf(bytes, changes == 0 ? random.nextInt(bytes.length) : bytes.length);
            try {
                // Within what was sent: else the copy of a cell fails.
                read(new Pieces(damaged, 1 + random.nextInt(200)), columns);
            }
            catch (SQLException e) {
                assertThat(e.getMessage()).contains("MySQL");
            }
        }
    }

    private void assertMalformed(int columns, int... payload)
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        writeLength(out, payload.length, 3);
        out.write(0);
        for (int value : payload) {
            out.write(value);
        }
        out.write(END_OF_ROWS);
        assertThatThrownBy(() -> read(new Pieces(out.toByteArray(), ONE_MEGABYTE), columns))
                .as("payload %s", Arrays.toString(payload))
                .isInstanceOf(SQLException.class)
                .hasMessage("MySQL sent a row that is not one of its protocol");
    }

    private void assertRead(List<byte[][]> rows, int columns)
            throws SQLException
    {
        byte[] bytes = encode(rows);
        for (int largest : new int[] {1 + random.nextInt(20), 10_000, 40 * ONE_MEGABYTE}) {
            if (bytes.length / largest < ONE_MEGABYTE) {
                Pieces pieces = new Pieces(bytes, largest);
                List<byte[][]> read = read(pieces, columns);
                assertThat(read).hasSameSizeAs(rows);
                for (int row = 0; row < read.size(); row++) {
                    assertThat(Arrays.deepEquals(read.get(row), rows.get(row))).as("row %s", row).isTrue();
                }
                assertThat(pieces.handedBack).startsWith(END_OF_ROWS).hasSizeLessThanOrEqualTo(END_OF_ROWS.length + FILLER.length);
            }
        }
    }

    private static List<byte[][]> read(Pieces pieces, int columns)
            throws SQLException
    {
        List<byte[][]> rows = new ArrayList<>();
        PacketRows batch = new PacketRows(pieces, columns);
        boolean last = false;
        while (!last) {
            last = batch.fill();
            for (int row = 0; row < batch.rows(); row++) {
                byte[][] cells = new byte[columns][];
                for (int column = 0; column < columns; column++) {
                    cells[column] = batch.cell(row, column);
                    boolean valid = batch.valid(column).isEmpty() || (batch.valid(column).get()[row / Long.SIZE] >>> row & 1) == 1;
                    assertThat(valid).isEqualTo(cells[column] != null);
                }
                rows.add(cells);
            }
        }
        return rows;
    }

    private List<byte[][]> randomRows(int columns, int rows)
    {
        return IntStream.range(0, rows)
                .mapToObj(_ -> IntStream.range(0, columns).mapToObj(_ -> randomCell()).toArray(byte[][]::new))
                .toList();
    }

    private byte[] randomCell()
    {
        byte[] cell = switch (random.nextInt(50)) {
            case 0 -> new byte[249 + random.nextInt(5)];
            case 1 -> new byte[random.nextInt(3000)];
            case 2 -> random.nextInt(50) == 0 ? new byte[65_534 + random.nextInt(4)] : null;
            case 3, 4, 5, 6 -> null;
            default -> new byte[random.nextInt(12)];
        };
        if (cell != null) {
            random.nextBytes(cell);
        }
        return cell;
    }

    private static byte[] encode(List<byte[][]> rows)
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        for (byte[][] row : rows) {
            byte[] payload = payload(row);
            int at = 0;
            int length;
            do {
                length = min(payload.length - at, LONGEST_PACKET);
                writeLength(out, length, 3);
                out.write(0);
                out.write(payload, at, length);
                at += length;
            } while (length == LONGEST_PACKET);
        }
        out.write(END_OF_ROWS);
        // These bytes belong to the next result.
        out.write(FILLER);
        return out.toByteArray();
    }

    private static byte[] payload(byte[][] row)
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        for (byte[] cell : row) {
            if (cell == null) {
                out.write(0xFB);
                continue;
            }
            switch (lengthBytes(cell.length)) {
                case 3 -> out.write(0xFC);
                case 4 -> out.write(0xFD);
                case 9 -> out.write(0xFE);
                default -> {}
            }
            writeLength(out, cell.length, max(lengthBytes(cell.length) - 1, 1));
            out.write(cell);
        }
        return out.toByteArray();
    }

    private static int lengthBytes(int length)
    {
        if (length <= 250) {
            return 1;
        }
        if (length < 1 << 16) {
            return 3;
        }
        return length < 1 << 24 ? 4 : 9;
    }

    private static void writeLength(ByteArrayDataOutput out, long length, int bytes)
    {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (length >>> (8 * i)));
        }
    }

    private final class Pieces
            implements PacketSource
    {
        private final byte[] bytes;
        private final int largest;
        private int position;
        private byte[] handedBack;

        private Pieces(byte[] bytes, int largest)
        {
            this.bytes = bytes;
            this.largest = largest;
        }

        @Override
        public int read(byte[] buffer, int offset, int needed, int room)
                throws SQLException
        {
            assertThat(needed).isBetween(1, room);
            int length = min(min(room, bytes.length - position), 1 + random.nextInt(largest));
            if (length == 0) {
                throw new SQLException("MySQL sent no more");
            }
            System.arraycopy(bytes, position, buffer, offset, length);
            position += length;
            return length;
        }

        @Override
        public void handBack(byte[] buffer, int offset, int length)
        {
            handedBack = Arrays.copyOfRange(buffer, offset, offset + length);
        }
    }
}
