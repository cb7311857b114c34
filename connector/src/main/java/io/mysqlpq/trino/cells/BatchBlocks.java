package io.mysqlpq.trino.cells;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Optional;

import static io.airlift.slice.SliceUtf8.countCodePoints;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static java.lang.Float.floatToRawIntBits;
import static java.lang.Float.intBitsToFloat;
import static java.lang.Math.floorDiv;
import static java.lang.Math.toIntExact;

/** Makes blocks of columns of a batch. */
public final class BatchBlocks
{
    // Dates and times that no calendar has stand further back than any day.
    private static final int LEAST_DAY = Integer.MIN_VALUE / 2;
    private static final long LEAST_MICROS = Long.MIN_VALUE / 2;
    // MySQL has no years beyond 9999.
    private static final long MOST_MICROS = 254_000_000_000_000_000L;
    private static final int LAST_YEAR = 2155;
    private static final int PICOSECONDS_PER_MICROSECOND = 1_000_000;
    private static final long MICROSECONDS_PER_DAY = 86_400_000_000L;
    private static final MathContext SHOWN = new MathContext(6, RoundingMode.HALF_EVEN);
    private static final int MOST_DIGITS_SHOWN = 1_000_000;

    private BatchBlocks()
    {}

    public static Block bytes(ColumnBatch batch, int column)
            throws SQLException
    {
        return Blocks.bytes(batch.valid(column), batch.bytes(column));
    }

    /** Copies truth values, which are 0 and 1. */
    public static Block truths(ColumnBatch batch, int column)
            throws SQLException
    {
        return Blocks.booleans(batch.valid(column), batch.bytes(column));
    }

    /** Copies single bits. */
    public static Block booleans(ColumnBatch batch, int column)
            throws SQLException
    {
        short[] bits = batch.shorts(column);
        byte[] values = new byte[bits.length];
        for (int row = 0; row < bits.length; row++) {
            values[row] = (byte) bits[row];
        }
        return Blocks.booleans(batch.valid(column), values);
    }

    public static Block shorts(ColumnBatch batch, int column)
            throws SQLException
    {
        return Blocks.shorts(batch.valid(column), batch.shorts(column));
    }

    public static Block ints(ColumnBatch batch, int column)
            throws SQLException
    {
        return Blocks.ints(batch.valid(column), batch.ints(column));
    }

    /** Copies integers, short decimals and doubles. */
    public static Block longs(ColumnBatch batch, int column)
            throws SQLException
    {
        return Blocks.longs(batch.valid(column), batch.longs(column, 1));
    }

    // The extension has the low half first, Trino the high one.
    public static Block longDecimals(ColumnBatch batch, int column)
            throws SQLException
    {
        long[] values = batch.longs(column, 2);
        for (int i = 0; i < values.length; i += 2) {
            long low = values[i];
            values[i] = values[i + 1];
            values[i + 1] = low;
        }
        return Blocks.int128s(batch.valid(column), values);
    }

    public static Block dates(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException
    {
        int[] days = batch.ints(column);
        int least = 0;
        for (int day : days) {
            least = Math.min(least, day);
        }
        if (least < LEAST_DAY) {
            throw new UnusualCellException();
        }
        return Blocks.ints(batch.valid(column), days);
    }

    /** Makes days of years: the first one of each. */
    public static Block years(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException
    {
        int[] values = batch.ints(column);
        Optional<long[]> valid = batch.valid(column);
        for (int row = 0; row < values.length; row++) {
            if (values[row] < 0 || values[row] > LAST_YEAR) {
                throw ColumnBatch.malformed("has the year %d".formatted(values[row]));
            }
            if (values[row] != 0) {
                values[row] = toIntExact(LocalDate.ofYearDay(values[row], 1).toEpochDay());
            }
            else if (Blocks.isValid(valid, row)) {
                throw new UnusualCellException();
            }
        }
        return Blocks.ints(valid, values);
    }

    public static Block times(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException
    {
        long[] values = batch.longs(column, 1);
        for (int row = 0; row < values.length; row++) {
            // Others are no times of a day.
            if (values[row] < 0 || values[row] >= MICROSECONDS_PER_DAY) {
                throw new UnusualCellException();
            }
            values[row] *= PICOSECONDS_PER_MICROSECOND;
        }
        return Blocks.longs(batch.valid(column), values);
    }

    /** Makes floats as MySQL shows them, with six digits. */
    public static Block shownFloats(ColumnBatch batch, int column)
            throws SQLException
    {
        int[] values = batch.ints(column);
        for (int row = 0; row < values.length; row++) {
            values[row] = floatToRawIntBits(shown(intBitsToFloat(values[row])));
        }
        return Blocks.ints(batch.valid(column), values);
    }

    private static float shown(float value)
    {
        // Whole numbers of six digits have no others, and MySQL has neither infinity nor NaN.
        boolean isShort = value == (int) value && Math.abs(value) < MOST_DIGITS_SHOWN;
        return isShort || !Float.isFinite(value) ? value : new BigDecimal(value).round(SHOWN).floatValue();
    }

    public static Block timestamps(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException
    {
        long[] micros = micros(batch, column);
        return Blocks.longs(batch.valid(column), micros);
    }

    public static Block shortInstants(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException
    {
        long[] values = micros(batch, column);
        for (int row = 0; row < values.length; row++) {
            values[row] = packDateTimeWithZone(floorDiv(values[row], 1_000L), UTC_KEY);
        }
        return Blocks.longs(batch.valid(column), values);
    }

    public static Block longInstants(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException
    {
        long[] micros = micros(batch, column);
        int[] values = new int[Blocks.INTS_PER_INSTANT * micros.length];
        for (int row = 0; row < micros.length; row++) {
            Blocks.writeInstant(micros[row], values, row);
        }
        return Blocks.longInstants(batch.valid(column), values);
    }

    private static long[] micros(ColumnBatch batch, int column)
            throws SQLException, UnusualCellException
    {
        long[] micros = batch.longs(column, 1);
        for (long value : micros) {
            if (value < LEAST_MICROS) {
                throw new UnusualCellException();
            }
            if (value < -MOST_MICROS || value > MOST_MICROS) {
                throw ColumnBatch.malformed("has a time %d microseconds from 1970".formatted(value));
            }
        }
        return micros;
    }

    public static Block binaries(ColumnBatch batch, int column)
            throws SQLException
    {
        return Blocks.binaries(batch.valid(column), batch.ends(column), Slices.wrappedBuffer(batch.data(column)));
    }

    /** Copies text in UTF-8. The column's type allowed {@code mostCharacters} characters when the query was planned. */
    public static BatchDecoder texts(int mostCharacters)
    {
        return (batch, column) -> {
            int[] ends = batch.ends(column);
            Slice data = Slices.wrappedBuffer(batch.data(column));
            for (int row = 0; row < batch.rows(); row++) {
                int length = ends[row + 1] - ends[row];
                if (length > mostCharacters && countCodePoints(data, ends[row], length) > mostCharacters) {
                    throw new UnusualCellException();
                }
            }
            return Blocks.binaries(batch.valid(column), ends, data);
        };
    }
}
