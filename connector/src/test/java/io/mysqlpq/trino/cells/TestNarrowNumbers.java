package io.mysqlpq.trino.cells;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.SQLException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reads numbers that come in each layout as narrow as those of their column or narrower. test_column_batch.cc writes such. */
class TestNarrowNumbers
{
    private static final int HEADER = 48;
    private static final int COLUMN_HEADER = 24;

    /** @param width bytes of a number, of which layouts have 1, 2, 4 and 8 */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void testSignsAndEnds(int width)
            throws SQLException
    {
        long most = Long.MAX_VALUE >> (Long.SIZE - Byte.SIZE * width);
        long[] numbers = {0, 1, -1, most, -most - 1, most - 1, 77, -78};
        ColumnBatch batch = batch(numbers, width);
        assertThat(batch.longs(0, 1)).isEqualTo(numbers);
        assertThat(batch.longs(0, 2)).isEqualTo(LongStream.of(numbers).flatMap(number -> LongStream.of(number, number < 0 ? -1 : 0)).toArray());
        if (width <= Integer.BYTES) {
            assertThat(batch.ints(0)).isEqualTo(LongStream.of(numbers).mapToInt(number -> (int) number).toArray());
        }
        else {
            assertThatThrownBy(() -> batch.ints(0)).hasMessageContaining("has a column of the layout 4 in the place of 3");
        }
        if (width <= Short.BYTES) {
            short[] shorts = batch.shorts(0);
            assertThat(IntStream.range(0, shorts.length).mapToLong(row -> shorts[row])).containsExactly(LongStream.of(numbers).boxed().toArray(Long[]::new));
        }
        else {
            assertThatThrownBy(() -> batch.shorts(0)).hasMessageContaining("in the place of 2");
        }
        // A number is no text.
        assertThatThrownBy(() -> batch.ends(0)).hasMessageContaining("in the place of 6");
    }

    private static ColumnBatch batch(long[] numbers, int width)
            throws SQLException
    {
        ByteBuffer batch = ByteBuffer.allocate(HEADER + COLUMN_HEADER + numbers.length * width).order(ByteOrder.LITTLE_ENDIAN);
        batch.put(0, new byte[] {'M', 'P', 'Q', 'B'}).putShort(4, (short) 1).putShort(6, (short) 1).putInt(8, numbers.length).putLong(16, batch.capacity());
        batch.putInt(HEADER, 1 + Integer.numberOfTrailingZeros(width)).putInt(HEADER + 12, HEADER + COLUMN_HEADER);
        for (int row = 0; row < numbers.length; row++) {
            byte[] number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(numbers[row]).array();
            batch.put(HEADER + COLUMN_HEADER + row * width, number, 0, width);
        }
        return ColumnBatch.of(batch.array(), 0, batch.capacity(), 1);
    }
}
