package io.mysqlpq.trino.expression;

import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;

/** Computes where operands and result all have 64 bits. */
record NarrowArithmetic(Operator operator, Vector left, Vector right, Vector result)
        implements Step
{
    @Override
    public void run(int rows)
    {
        result.takeNulls(left, right, rows);
        long[] first = left.low;
        long[] second = right.low;
        long[] values = result.lowFor(rows);
        switch (operator) {
            case ADD -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = first[row] + second[row];
                }
            }
            case SUBTRACT -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = first[row] - second[row];
                }
            }
            case MULTIPLY -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = first[row] * second[row];
                }
            }
            case DIVIDE -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = first[row] / divisor(second[row], row);
                }
            }
            case MODULO -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = first[row] % divisor(second[row], row);
                }
            }
            case DIVIDE_HALF_UP -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = divideHalfUp(first[row], divisor(second[row], row));
                }
            }
            case FLOOR_DIVIDE -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = floorDiv(first[row], divisor(second[row], row));
                }
            }
            case FLOOR_MODULO -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = floorMod(first[row], divisor(second[row], row));
                }
            }
        }
    }

    private long divisor(long value, int row)
    {
        if (value == 0) {
            if (!result.isNull(row)) {
                throw EvaluationErrors.divisionByZero();
            }
            return 1;
        }
        return value;
    }

    static long divideHalfUp(long dividend, long divisor)
    {
        long quotient = dividend / divisor;
        long rest = dividend - quotient * divisor;
        // The rest is less than the divisor, and twice as much has 64 bits without a sign.
        if (Long.compareUnsigned(2 * Math.abs(rest), Math.abs(divisor)) >= 0) {
            quotient += (dividend ^ divisor) < 0 ? -1 : 1;
        }
        return quotient;
    }
}
