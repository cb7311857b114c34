package io.mysqlpq.trino.expression;

import java.util.Arrays;
import java.util.List;

/** Computes AND or OR with three values: NULL is one that is not known. */
record LogicStep(boolean isAnd, List<Vector> terms, Vector result)
        implements Step
{
    @Override
    public void run(int rows)
    {
        long[] truth = result.lowFor(rows);
        boolean[] nulls = result.nullsFor(rows);
        // Without terms, and of terms that say nothing else.
        long neutral = isAnd ? 1 : 0;
        Arrays.fill(truth, 0, rows, neutral);
        Arrays.fill(nulls, 0, rows, false);
        boolean hasNulls = false;
        for (Vector term : terms) {
            for (int row = 0; row < rows; row++) {
                boolean isNull = term.isNull(row);
                nulls[row] |= isNull;
                if (!isNull && term.low[row] != neutral) {
                    truth[row] = 1 - neutral;
                }
            }
            hasNulls |= term.hasNulls;
        }
        result.hasNulls = hasNulls;
        if (hasNulls) {
            for (int row = 0; row < rows; row++) {
                nulls[row] &= truth[row] == neutral;
            }
        }
    }
}
