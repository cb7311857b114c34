package io.mysqlpq.trino.cells;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.LongTimestampWithTimeZone.fromEpochMillisAndFraction;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TimeType.TIME_MICROS;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MICROS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that each block is of the kind that Trino's type has in this release, and that the type reads from it what was put in. */
class TestBlocks
{
    private static final Slice TEXT = Slices.utf8Slice("0123456789".repeat(13));
    // The bits of validity and, in some releases, of booleans take three longs.
    private static final int ROWS = 130;

    static List<Case> cases()
    {
        return ImmutableList.of(
                new Case(ImmutableList.of(BOOLEAN), valid -> Blocks.booleans(valid, booleans()), row -> row % 3 == 0),
                new Case(ImmutableList.of(BOOLEAN), valid -> Blocks.builtBooleans(valid, booleans()), row -> row % 3 == 0),
                new Case(ImmutableList.of(TINYINT), valid -> Blocks.bytes(valid, bytes()), row -> (long) (byte) row),
                new Case(ImmutableList.of(SMALLINT), valid -> Blocks.shorts(valid, shorts()), row -> (long) -row),
                new Case(ImmutableList.of(INTEGER, DATE, REAL), valid -> Blocks.ints(valid, ints(ROWS)), row -> (long) row),
                new Case(ImmutableList.of(BIGINT, createDecimalType(18, 2), TIME_MICROS, TIMESTAMP_MICROS, TIMESTAMP_TZ_MILLIS), valid -> Blocks.longs(valid, longs(ROWS)), row -> (long) row),
                new Case(ImmutableList.of(DOUBLE), valid -> Blocks.longs(valid, longs(ROWS)), Double::longBitsToDouble),
                new Case(ImmutableList.of(createDecimalType(38, 2)), valid -> Blocks.int128s(valid, longs(2 * ROWS)), row -> Int128.valueOf(2L * row, 2L * row + 1)),
                new Case(ImmutableList.of(TIMESTAMP_TZ_MICROS), valid -> Blocks.longInstants(valid, instants()), row -> fromEpochMillisAndFraction(-row, row * 1_000_000, UTC_KEY)),
                new Case(ImmutableList.of(VARCHAR, VARBINARY), valid -> Blocks.binaries(valid, ints(ROWS + 1), TEXT), row -> TEXT.slice(row, 1)));
    }

    private static byte[] booleans()
    {
        byte[] values = new byte[ROWS];
        for (int row = 0; row < ROWS; row += 3) {
            values[row] = 1;
        }
        return values;
    }

    private static byte[] bytes()
    {
        byte[] values = new byte[ROWS];
        for (int row = 0; row < ROWS; row++) {
            values[row] = (byte) row;
        }
        return values;
    }

    private static short[] shorts()
    {
        short[] values = new short[ROWS];
        for (int row = 0; row < ROWS; row++) {
            values[row] = (short) -row;
        }
        return values;
    }

    private static int[] ints(int count)
    {
        return IntStream.range(0, count).toArray();
    }

    private static long[] longs(int count)
    {
        return LongStream.range(0, count).toArray();
    }

    // Microseconds before 1970.
    private static int[] instants()
    {
        int[] values = new int[Blocks.INTS_PER_INSTANT * ROWS];
        for (int row = 0; row < ROWS; row++) {
            Blocks.writeInstant(-1_000L * row + row, values, row);
        }
        return values;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void testValues(Case made)
    {
        assertValues(made, Optional.empty(), _ -> true);
        assertValues(made, Optional.of(new long[] {~1L, ~2L, ~1L}), row -> row != 0 && row != 65 && row != 128);
        assertValues(made, Optional.of(new long[3]), _ -> false);
    }

    private static void assertValues(Case made, Optional<long[]> valid, IntPredicate isValid)
    {
        Block block = made.block().apply(valid);
        assertThat(block.getPositionCount()).isEqualTo(ROWS);
        for (Type type : made.types()) {
            assertThat(block.getUnderlyingValueBlock()).as("%s", type).isInstanceOf(type.getValueBlockType());
            for (int row = 0; row < ROWS; row++) {
                assertThat(readNativeValue(type, block, row)).as("%s, row %s", type, row).isEqualTo(isValid.test(row) ? made.value().apply(row) : null);
            }
        }
    }

    record Case(List<Type> types, Function<Optional<long[]>, Block> block, IntFunction<Object> value)
    {}
}
