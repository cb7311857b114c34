package io.mysqlpq.trino.expression;

import io.trino.spi.type.Int128;

import java.util.Optional;

import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * Fails for a value outside of an interval.
 *
 * @param operands what the value was computed from by arithmetic
 * @param isResultWide whether the interval has values that take 128 bits
 */
record RangeCheck(Vector value, Optional<Operands> operands, Int128 least, Int128 most, boolean isResultWide, String message, Vector result)
        implements Step
{
    record Operands(Vector left, Vector right)
    {}

    @Override
    public void run(int rows)
    {
        result.takeValues(value);
        result.takeNulls(value);
        result.has128Bits = isResultWide;
        // Rows that are NULL may be outside. They are told apart only if one is.
        if (isResultWide || has128Bits(rows) || isOneOutside(rows)) {
            check(rows);
        }
    }

    private boolean has128Bits(int rows)
    {
        if (!value.has128Bits) {
            return false;
        }
        long[] high = value.high;
        long[] low = value.low;
        long differences = 0;
        for (int row = 0; row < rows; row++) {
            differences |= high[row] ^ (low[row] >> 63);
        }
        return differences != 0;
    }

    private boolean isOneOutside(int rows)
    {
        long[] values = value.low;
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int row = 0; row < rows; row++) {
            low = min(low, values[row]);
            high = max(high, values[row]);
        }
        return rows > 0 && (Int128.compare(low >> 63, low, least.getHigh(), least.getLow()) < 0 || Int128.compare(high >> 63, high, most.getHigh(), most.getLow()) > 0);
    }

    private void check(int rows)
    {
        long[] highs = value.highs(rows);
        for (int row = 0; row < rows; row++) {
            long low = value.low[row];
            boolean isInside = Int128.compare(highs[row], low, least.getHigh(), least.getLow()) >= 0 && Int128.compare(highs[row], low, most.getHigh(), most.getLow()) <= 0;
            if (!isInside && !value.isNull(row)) {
                throw EvaluationErrors.outOfRange(message(row, rows));
            }
        }
    }

    private String message(int row, int rows)
    {
        Operands shown = operands.orElse(new Operands(value, value));
        return message.formatted(number(shown.left(), row, rows), number(shown.right(), row, rows), number(value, row, rows));
    }

    private static String number(Vector vector, int row, int rows)
    {
        return Int128.valueOf(vector.highs(rows)[row], vector.low[row]).toBigInteger().toString();
    }
}
