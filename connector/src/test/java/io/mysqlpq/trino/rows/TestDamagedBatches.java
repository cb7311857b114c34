package io.mysqlpq.trino.rows;

import io.mysqlpq.testing.random.DamagedBytes;
import io.mysqlpq.testing.random.Seed;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.BatchDecoder;
import io.mysqlpq.trino.cells.ColumnBatch;
import io.mysqlpq.trino.cells.UnusualCellException;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.VariableWidthBlock;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Makes blocks of column batches after changes at random: each is read, or fails as malformed, and no block reaches beyond its batch. */
class TestDamagedBatches
{
    private static final int ROUNDS = 100_000;
    private static final int HEADER = 48;
    private static final int COLUMN_HEADER = 24;
    private static final int ROWS = 20;

    // A decoder of each kind, by the layout that it reads.
    private static final List<List<BatchDecoder>> DECODERS = List.of(
            List.of(BatchBlocks::bytes),
            List.of(BatchBlocks::shorts, BatchBlocks::booleans),
            List.of(BatchBlocks::ints, BatchBlocks::dates, BatchBlocks::years, BatchBlocks::shownFloats),
            List.of(BatchBlocks::longs, BatchBlocks::times, BatchBlocks::timestamps, BatchBlocks::shortInstants, BatchBlocks::longInstants),
            List.of(BatchBlocks::longDecimals),
            List.of(BatchBlocks::binaries, BatchBlocks.texts(2)));

    private final Random random = Seed.random();

    @Test
    void testWholeBatch()
            throws Exception
    {
        byte[] written = written();
        ColumnBatch batch = ColumnBatch.of(written, 0, written.length, DECODERS.size());
        assertThat(batch.cursor()).hasValue("[\"20\"]");
        assertThat(batch.number()).isEqualTo(3);
        assertThat(batch.rowsBefore()).isEqualTo(60);
        ByteArrayBlock bytes = (ByteArrayBlock) BatchBlocks.bytes(batch, 0);
        VariableWidthBlock texts = (VariableWidthBlock) BatchBlocks.binaries(batch, 5);
        for (int row = 0; row < ROWS; row++) {
            assertThat(bytes.isNull(row)).isEqualTo(row % 3 == 0);
            assertThat(bytes.getByte(row)).isEqualTo((byte) row);
            assertThat(texts.getSlice(row).toStringUtf8()).isEqualTo("x".repeat(row % 5));
        }
    }

    @Test
    void testDamagedBatches()
    {
        DamagedBytes bytes = new DamagedBytes(written());
        int malformed = 0;
        int read = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] damaged = bytes.next(random);
            // Without this most batches would be refused for their size alone.
            if (random.nextInt(10) != 0 && damaged.length >= 24) {
                ByteBuffer.wrap(damaged).order(LITTLE_ENDIAN).putLong(16, damaged.length);
            }
            // Nothing around the batch is read.
            byte[] surrounded = new byte[damaged.length + 20];
            System.arraycopy(damaged, 0, surrounded, 10, damaged.length);
            try {
                read(ColumnBatch.of(surrounded, 10, damaged.length, DECODERS.size()));
                read++;
            }
            catch (SQLException e) {
                assertThat(e.getMessage()).startsWith("The extension sent a column batch that ");
                malformed++;
            }
            catch (UnusualCellException _) {
                read++;
            }
        }
        assertThat(read).isGreaterThan(ROUNDS / 10);
        assertThat(malformed).isGreaterThan(ROUNDS / 10);
    }

    /** A small batch could otherwise become blocks that are many times as large. */
    @Test
    void testValuesThatColumnsShare()
    {
        byte[] batch = written();
        int texts = HEADER + (DECODERS.size() - 1) * COLUMN_HEADER;
        ByteBuffer.wrap(batch).order(LITTLE_ENDIAN).putInt(texts + 16, 0).putInt(texts + 20, batch.length);
        assertThatThrownBy(() -> ColumnBatch.of(batch, 0, batch.length, DECODERS.size()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("more than its %d bytes".formatted(batch.length));
    }

    private void read(ColumnBatch batch)
            throws SQLException, UnusualCellException
    {
        batch.cursor();
        for (int column = 0; column < DECODERS.size(); column++) {
            List<BatchDecoder> decoders = DECODERS.get(column);
            // Now and then one for another layout, as if the extension took the column for something else.
            if (random.nextInt(20) == 0) {
                decoders = DECODERS.get(random.nextInt(DECODERS.size()));
            }
            Block block = decoders.get(random.nextInt(decoders.size())).decode(batch, column);
            assertThat(block.getPositionCount()).isEqualTo(batch.rows());
            if (block instanceof VariableWidthBlock texts) {
                for (int row = 0; row < texts.getPositionCount(); row++) {
                    assertThat(texts.getSlice(row).length()).isBetween(0, 10_000);
                }
            }
        }
    }

    // As server-udf/src/pure/column_batch.h has it: a column of each layout.
    private static byte[] written()
    {
        int[] widths = {1, 2, 4, 8, 16, 4};
        ByteBuffer header = ByteBuffer.allocate(HEADER + widths.length * COLUMN_HEADER).order(LITTLE_ENDIAN);
        ByteArrayOutputStream buffers = new ByteArrayOutputStream();
        header.put(0, new byte[] {'M', 'P', 'Q', 'B'}).putShort(4, (short) 1).putShort(6, (short) widths.length).putInt(8, ROWS);
        header.putInt(24, 3).putLong(32, 3 * ROWS);
        for (int column = 0; column < widths.length; column++) {
            int at = HEADER + column * COLUMN_HEADER;
            boolean isText = column == widths.length - 1;
            header.putInt(at, column + 1).putInt(at + 4, ROWS / 3 + 1).putInt(at + 8, put(header, buffers, validity()));
            header.putInt(at + 12, put(header, buffers, isText ? ends() : values(widths[column])));
            if (isText) {
                byte[] data = "x".repeat(2 * ROWS).getBytes(UTF_8);
                header.putInt(at + 16, put(header, buffers, data)).putInt(at + 20, data.length);
            }
        }
        byte[] cursor = "[\"20\"]".getBytes(UTF_8);
        header.putInt(28, put(header, buffers, cursor)).putInt(40, cursor.length);
        header.putLong(16, header.capacity() + buffers.size());
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        batch.writeBytes(header.array());
        batch.writeBytes(buffers.toByteArray());
        return batch.toByteArray();
    }

    // Returns where they begin.
    private static int put(ByteBuffer header, ByteArrayOutputStream buffers, byte[] bytes)
    {
        int start = header.capacity() + buffers.size();
        buffers.writeBytes(bytes);
        while (buffers.size() % 8 != 0) {
            buffers.write(0);
        }
        return start;
    }

    private static byte[] validity()
    {
        byte[] bits = new byte[ROWS / 8 + 1];
        for (int row = 0; row < ROWS; row++) {
            bits[row / 8] |= (byte) (row % 3 == 0 ? 0 : 1 << row % 8);
        }
        return bits;
    }

    private static byte[] values(int width)
    {
        byte[] values = new byte[ROWS * width];
        for (int row = 0; row < ROWS; row++) {
            values[row * width] = (byte) row;
        }
        return values;
    }

    private static byte[] ends()
    {
        ByteBuffer ends = ByteBuffer.allocate((ROWS + 1) * 4).order(LITTLE_ENDIAN);
        int end = 0;
        for (int row = 0; row < ROWS; row++) {
            end += row % 5;
            ends.putInt((row + 1) * 4, end);
        }
        return ends.array();
    }
}
