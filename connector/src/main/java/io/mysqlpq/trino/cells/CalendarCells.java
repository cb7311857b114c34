package io.mysqlpq.trino.cells;

import io.trino.spi.block.Block;

import java.time.YearMonth;

import static io.mysqlpq.trino.cells.PacketRows.NULL;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static java.lang.Math.floorDiv;

/** Decodes dates and times. Those that no calendar has are unusual, and so is year 0. */
public final class CalendarCells
{
    private static final int DATE_LENGTH = "2026-01-02".length();
    private static final int DATETIME_LENGTH = "2026-01-02 03:04:05".length();
    private static final int MOST_FRACTION_DIGITS = 6;
    private static final int DAYS_OF_400_YEARS = 146_097;
    // From 1 March of year 0.
    private static final int DAYS_TO_EPOCH = 719_468;

    private CalendarCells()
    {}

    public static Block dates(PacketRows cells, int column)
            throws UnusualCellException
    {
        int[] values = new int[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                if (lengths[row] != DATE_LENGTH) {
                    throw new UnusualCellException();
                }
                values[row] = epochDay(bytes, offsets[row]);
            }
        }
        return Blocks.ints(cells.valid(column), values);
    }

    /** Decodes timestamps without time zone to microseconds. */
    public static PacketDecoder timestamps(int fractionDigits)
    {
        return (cells, column) -> {
            long[] values = new long[cells.rows()];
            int[] lengths = cells.lengths(column);
            for (int row = 0; row < values.length; row++) {
                if (lengths[row] != NULL) {
                    values[row] = epochMicros(cells, row, column, fractionDigits);
                }
            }
            return Blocks.longs(cells.valid(column), values);
        };
    }

    /** Decodes instants in UTC with up to three digits. */
    public static PacketDecoder shortInstants(int fractionDigits)
    {
        return (cells, column) -> {
            long[] values = new long[cells.rows()];
            int[] lengths = cells.lengths(column);
            for (int row = 0; row < values.length; row++) {
                if (lengths[row] != NULL) {
                    values[row] = packDateTimeWithZone(floorDiv(epochMicros(cells, row, column, fractionDigits), 1_000L), UTC_KEY);
                }
            }
            return Blocks.longs(cells.valid(column), values);
        };
    }

    /** Decodes instants in UTC with four digits or more. */
    public static PacketDecoder longInstants(int fractionDigits)
    {
        return (cells, column) -> {
            int rows = cells.rows();
            int[] values = new int[Blocks.INTS_PER_INSTANT * rows];
            int[] lengths = cells.lengths(column);
            for (int row = 0; row < rows; row++) {
                if (lengths[row] != NULL) {
                    Blocks.writeInstant(epochMicros(cells, row, column, fractionDigits), values, row);
                }
            }
            return Blocks.longInstants(cells.valid(column), values);
        };
    }

    private static long epochMicros(PacketRows cells, int row, int column, int fractionDigits)
            throws UnusualCellException
    {
        byte[] bytes = cells.buffer();
        int offset = cells.offsets(column)[row];
        if (cells.lengths(column)[row] != (fractionDigits == 0 ? DATETIME_LENGTH : DATETIME_LENGTH + 1 + fractionDigits) || bytes[offset + 10] != ' ' || bytes[offset + 13] != ':' || bytes[offset + 16] != ':') {
            throw new UnusualCellException();
        }
        long hour = Digits.two(bytes, offset + 11);
        long minute = Digits.two(bytes, offset + 14);
        long second = Digits.two(bytes, offset + 17);
        if (hour > 23 || minute > 59 || second > 59) {
            throw new UnusualCellException();
        }
        long seconds = 86_400L * epochDay(bytes, offset) + 3_600L * hour + 60L * minute + second;
        return 1_000_000L * seconds + (fractionDigits == 0 ? 0 : fraction(bytes, offset + DATETIME_LENGTH, fractionDigits));
    }

    private static long fraction(byte[] bytes, int point, int digits)
            throws UnusualCellException
    {
        if (bytes[point] != '.') {
            throw new UnusualCellException();
        }
        return Digits.unsigned(bytes, point + 1, digits) * Digits.powerOfTen(MOST_FRACTION_DIGITS - digits);
    }

    // Years begin in March here, so that a leap day is the last one.
    private static int epochDay(byte[] bytes, int offset)
            throws UnusualCellException
    {
        int year = 100 * Digits.two(bytes, offset) + Digits.two(bytes, offset + 2);
        int month = Digits.two(bytes, offset + 5);
        int day = Digits.two(bytes, offset + 8);
        if (bytes[offset + 4] != '-' || bytes[offset + 7] != '-' || year == 0 || month == 0 || month > 12 || day == 0 || (day > 28 && day > YearMonth.of(year, month).lengthOfMonth())) {
            throw new UnusualCellException();
        }
        int shiftedYear = month > 2 ? year : year - 1;
        int shiftedMonth = month > 2 ? month - 3 : month + 9;
        int yearOf400 = shiftedYear % 400;
        int dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1;
        return shiftedYear / 400 * DAYS_OF_400_YEARS + 365 * yearOf400 + yearOf400 / 4 - yearOf400 / 100 + dayOfYear - DAYS_TO_EPOCH;
    }
}
