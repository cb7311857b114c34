package io.mysqlpq.trino.expression;

import io.airlift.slice.Slices;
import io.mysqlpq.trino.cells.Blocks;
import io.mysqlpq.trino.expression.Expression.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import static java.util.Objects.requireNonNull;

/** Gives a block of an expression's values. One thread at a time may use it. */
public final class Projection
{
    private final Function<Page, Block> values;

    /**
     * @param channels the block of a page that holds a column
     * @param type Trino's type of the result
     */
    public Projection(Expression expression, ToIntFunction<String> channels, Type type)
    {
        requireNonNull(type, "type is null");
        if (expression instanceof Column column && column.isAsItIs()) {
            int channel = channels.applyAsInt(column.name());
            this.values = page -> page.getBlock(channel);
        }
        else {
            Program program = new Program(expression, channels);
            this.values = page -> block(type, program.run(page, Optional.empty(), page.getPositionCount()), page.getPositionCount());
        }
    }

    /** Fails as Trino does if the expression fails for a row. */
    public Block evaluate(Page page)
    {
        return values.apply(page);
    }

    private static Block block(Type type, Vector vector, int rows)
    {
        Optional<long[]> valid = valid(vector, rows);
        return switch (type) {
            case BooleanType _ -> Blocks.booleans(valid, bytes(vector, rows));
            case TinyintType _ -> Blocks.bytes(valid, bytes(vector, rows));
            case SmallintType _ -> Blocks.shorts(valid, shorts(vector, rows));
            case IntegerType _,DateType _ -> Blocks.ints(valid, ints(vector, rows));
            case BigintType _,TimestampType _ -> Blocks.longs(valid, Arrays.copyOf(vector.low, rows));
            case DecimalType decimal when decimal.isShort() -> Blocks.longs(valid, Arrays.copyOf(vector.low, rows));
            case DecimalType _ -> Blocks.int128s(valid, int128s(vector, rows));
            case VarcharType _,CharType _ -> texts(valid, vector, rows);
            default -> throw new IllegalArgumentException("Not a type of expressions: " + type);
        };
    }

    private static Optional<long[]> valid(Vector vector, int rows)
    {
        if (!vector.hasNulls) {
            return Optional.empty();
        }
        long[] valid = new long[(rows + Long.SIZE - 1) / Long.SIZE];
        for (int row = 0; row < rows; row++) {
            valid[row / Long.SIZE] |= (vector.nulls[row] ? 0L : 1L) << row;
        }
        return Optional.of(valid);
    }

    private static byte[] bytes(Vector vector, int rows)
    {
        byte[] values = new byte[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = (byte) vector.low[row];
        }
        return values;
    }

    private static short[] shorts(Vector vector, int rows)
    {
        short[] values = new short[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = (short) vector.low[row];
        }
        return values;
    }

    private static int[] ints(Vector vector, int rows)
    {
        int[] values = new int[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = (int) vector.low[row];
        }
        return values;
    }

    private static long[] int128s(Vector vector, int rows)
    {
        long[] highs = vector.highs(rows);
        long[] values = new long[2 * rows];
        for (int row = 0; row < rows; row++) {
            values[2 * row] = highs[row];
            values[2 * row + 1] = vector.low[row];
        }
        return values;
    }

    private static Block texts(Optional<long[]> valid, Vector vector, int rows)
    {
        int[] ends = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            ends[row + 1] = ends[row] + (vector.isNull(row) ? 0 : vector.ends[row] - vector.starts[row]);
        }
        byte[] data = new byte[ends[rows]];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(vector.text, vector.starts[row], data, ends[row], ends[row + 1] - ends[row]);
        }
        return Blocks.binaries(valid, ends, Slices.wrappedBuffer(data));
    }
}
