package io.mysqlpq.trino.expression;

import io.trino.spi.type.Int128;

import static io.trino.spi.type.Int128Math.divideRoundUp;
import static io.trino.spi.type.Int128Math.remainder;
import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;
import static java.lang.Math.multiplyHigh;
import static java.lang.Math.unsignedMultiplyHigh;

/**
 * Computes where an operand or the result has 128 bits.
 *
 * @param canOverflow whether 128 bits may be too few for the result
 */
record WideArithmetic(Operator operator, Vector left, Vector right, Vector result, boolean canOverflow, boolean isResultWide)
        implements Step
{
    @Override
    public void run(int rows)
    {
        result.takeNulls(left, right, rows);
        switch (operator) {
            case ADD -> add(rows);
            case SUBTRACT -> subtract(rows);
            case MULTIPLY -> {
                if (canOverflow) {
                    multiplyExactly(rows);
                }
                else if (left.has128Bits || right.has128Bits) {
                    multiply(rows);
                }
                else {
                    multiplyNarrow(rows);
                }
            }
            default -> divide(rows);
        }
    }

    // The high half of a result that is known to have 64 bits is written too, and nobody reads it.
    private long[] highs(int rows)
    {
        long[] highs = result.highFor(rows);
        result.has128Bits = isResultWide;
        return highs;
    }

    private void add(int rows)
    {
        long[] leftLow = left.low;
        long[] rightLow = right.low;
        long[] leftHigh = left.highs(rows);
        long[] rightHigh = right.highs(rows);
        long[] low = result.lowFor(rows);
        long[] high = highs(rows);
        for (int row = 0; row < rows; row++) {
            long a = leftLow[row];
            long b = rightLow[row];
            long sum = a + b;
            low[row] = sum;
            high[row] = leftHigh[row] + rightHigh[row] + (((a & b) | ((a | b) & ~sum)) >>> 63);
        }
        if (canOverflow) {
            for (int row = 0; row < rows; row++) {
                checkSign((leftHigh[row] ^ high[row]) & (rightHigh[row] ^ high[row]), row);
            }
        }
    }

    private void subtract(int rows)
    {
        long[] leftLow = left.low;
        long[] rightLow = right.low;
        long[] leftHigh = left.highs(rows);
        long[] rightHigh = right.highs(rows);
        long[] low = result.lowFor(rows);
        long[] high = highs(rows);
        for (int row = 0; row < rows; row++) {
            long a = leftLow[row];
            long b = rightLow[row];
            long difference = a - b;
            low[row] = difference;
            high[row] = leftHigh[row] - rightHigh[row] - (((~a & b) | ((~a | b) & difference)) >>> 63);
        }
        if (canOverflow) {
            for (int row = 0; row < rows; row++) {
                checkSign((leftHigh[row] ^ rightHigh[row]) & (leftHigh[row] ^ high[row]), row);
            }
        }
    }

    private void checkSign(long overflow, int row)
    {
        if (overflow < 0 && !result.isNull(row)) {
            throw EvaluationErrors.decimalOverflow();
        }
    }

    private void multiplyNarrow(int rows)
    {
        long[] leftLow = left.low;
        long[] rightLow = right.low;
        long[] low = result.lowFor(rows);
        long[] high = highs(rows);
        for (int row = 0; row < rows; row++) {
            low[row] = leftLow[row] * rightLow[row];
            high[row] = multiplyHigh(leftLow[row], rightLow[row]);
        }
    }

    private void multiply(int rows)
    {
        long[] leftLow = left.low;
        long[] rightLow = right.low;
        long[] leftHigh = left.highs(rows);
        long[] rightHigh = right.highs(rows);
        long[] low = result.lowFor(rows);
        long[] high = highs(rows);
        for (int row = 0; row < rows; row++) {
            long a = leftLow[row];
            long b = rightLow[row];
            low[row] = a * b;
            high[row] = unsignedMultiplyHigh(a, b) + leftHigh[row] * b + a * rightHigh[row];
        }
    }

    private void multiplyExactly(int rows)
    {
        long[] leftLow = left.low;
        long[] rightLow = right.low;
        long[] leftHigh = left.highs(rows);
        long[] rightHigh = right.highs(rows);
        long[] low = result.lowFor(rows);
        long[] high = highs(rows);
        for (int row = 0; row < rows; row++) {
            long a = leftLow[row];
            long b = rightLow[row];
            if (leftHigh[row] == a >> 63 && rightHigh[row] == b >> 63) {
                low[row] = a * b;
                high[row] = multiplyHigh(a, b);
            }
            else if (!result.isNull(row)) {
                write(exact(row, leftHigh[row], rightHigh[row]), low, high, row);
            }
        }
    }

    private void divide(int rows)
    {
        long[] leftLow = left.low;
        long[] rightLow = right.low;
        long[] leftHigh = left.highs(rows);
        long[] rightHigh = right.highs(rows);
        long[] low = result.lowFor(rows);
        long[] high = highs(rows);
        for (int row = 0; row < rows; row++) {
            long a = leftLow[row];
            long b = rightLow[row];
            if (result.isNull(row)) {
                continue;
            }
            if (b == 0 && rightHigh[row] == 0) {
                throw EvaluationErrors.divisionByZero();
            }
            // The least integer divided by -1 takes one bit more.
            if (leftHigh[row] == a >> 63 && rightHigh[row] == b >> 63 && (a != Long.MIN_VALUE || b != -1)) {
                long value = divide(a, b);
                low[row] = value;
                high[row] = value >> 63;
            }
            else {
                write(divide(row, leftHigh[row], rightHigh[row]), low, high, row);
            }
        }
    }

    private long divide(long dividend, long divisor)
    {
        return switch (operator) {
            case DIVIDE -> dividend / divisor;
            case MODULO -> dividend % divisor;
            case DIVIDE_HALF_UP -> NarrowArithmetic.divideHalfUp(dividend, divisor);
            case FLOOR_DIVIDE -> floorDiv(dividend, divisor);
            case FLOOR_MODULO -> floorMod(dividend, divisor);
            case ADD, SUBTRACT, MULTIPLY -> throw new IllegalStateException("Not a division: " + operator);
        };
    }

    private Int128 divide(int row, long leftHigh, long rightHigh)
    {
        // Only the least integer has no opposite.
        if (leftHigh == Long.MIN_VALUE || rightHigh == Long.MIN_VALUE) {
            return exact(row, leftHigh, rightHigh);
        }
        return switch (operator) {
            case DIVIDE_HALF_UP -> divideRoundUp(leftHigh, left.low[row], 0, rightHigh, right.low[row], 0);
            case MODULO -> remainder(leftHigh, left.low[row], 0, rightHigh, right.low[row], 0);
            default -> exact(row, leftHigh, rightHigh);
        };
    }

    private Int128 exact(int row, long leftHigh, long rightHigh)
    {
        try {
            return Int128.valueOf(operator.exact(
                    Int128.valueOf(leftHigh, left.low[row]).toBigInteger(),
                    Int128.valueOf(rightHigh, right.low[row]).toBigInteger()));
        }
        catch (ArithmeticException _) {
            throw EvaluationErrors.decimalOverflow();
        }
    }

    private static void write(Int128 value, long[] low, long[] high, int row)
    {
        low[row] = value.getLow();
        high[row] = value.getHigh();
    }
}
