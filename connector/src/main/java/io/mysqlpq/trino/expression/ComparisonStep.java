package io.mysqlpq.trino.expression;

import io.trino.spi.type.Int128;

import java.util.Arrays;

/** Compares values of the same kind. */
record ComparisonStep(Relation relation, Vector left, Vector right, boolean isText, Vector result)
        implements Step
{
    @Override
    public void run(int rows)
    {
        result.takeNulls(left, right, rows);
        long[] values = result.lowFor(rows);
        if (isText) {
            compareTexts(rows, values);
        }
        else if (left.has128Bits || right.has128Bits) {
            compare128Bits(rows, values);
        }
        else {
            compare64Bits(rows, values);
        }
    }

    private void compare64Bits(int rows, long[] values)
    {
        long[] first = left.low;
        long[] second = right.low;
        for (int row = 0; row < rows; row++) {
            values[row] = relation.truth(Long.compare(first[row], second[row]));
        }
    }

    private void compare128Bits(int rows, long[] values)
    {
        long[] firstHigh = left.highs(rows);
        long[] secondHigh = right.highs(rows);
        for (int row = 0; row < rows; row++) {
            values[row] = relation.truth(Int128.compare(firstHigh[row], left.low[row], secondHigh[row], right.low[row]));
        }
    }

    // The order of UTF-8's bytes is the order of code points.
    private void compareTexts(int rows, long[] values)
    {
        for (int row = 0; row < rows; row++) {
            int order = Arrays.compareUnsigned(left.text, left.starts[row], left.ends[row], right.text, right.starts[row], right.ends[row]);
            values[row] = relation.truth(Integer.signum(order));
        }
    }
}
