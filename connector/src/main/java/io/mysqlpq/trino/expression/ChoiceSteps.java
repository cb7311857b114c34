package io.mysqlpq.trino.expression;

import static java.lang.Math.max;

/** Makes the steps that look at NULL, or take one of two values. */
final class ChoiceSteps
{
    private ChoiceSteps()
    {}

    static Step not(Vector operand, Vector result)
    {
        return rows -> {
            result.takeNulls(operand);
            long[] values = result.lowFor(rows);
            for (int row = 0; row < rows; row++) {
                values[row] = 1 - operand.low[row];
            }
        };
    }

    static Step isNull(Vector operand, Vector result)
    {
        return rows -> {
            long[] values = result.lowFor(rows);
            for (int row = 0; row < rows; row++) {
                values[row] = operand.isNull(row) ? 1 : 0;
            }
        };
    }

    static Step nullIf(Vector condition, Vector value, Vector result)
    {
        return rows -> {
            result.takeValues(value);
            boolean[] nulls = result.nullsFor(rows);
            for (int row = 0; row < rows; row++) {
                nulls[row] = value.isNull(row) || condition.isTrue(row);
            }
        };
    }

    static Step conditional(Vector condition, Vector then, Vector otherwise, boolean isText, Vector result)
    {
        Mask mask = new Mask();
        return rows -> {
            boolean[] isThen = mask.of(rows);
            for (int row = 0; row < rows; row++) {
                isThen[row] = condition.isTrue(row);
            }
            choose(isThen, then, otherwise, isText, result, rows);
        };
    }

    static Step coalesce(Vector first, Vector second, boolean isText, Vector result)
    {
        Mask mask = new Mask();
        return rows -> {
            boolean[] isFirst = mask.of(rows);
            for (int row = 0; row < rows; row++) {
                isFirst[row] = !first.isNull(row);
            }
            choose(isFirst, first, second, isText, result, rows);
        };
    }

    /** Keeps an array for the next rows. */
    private static final class Mask
    {
        private boolean[] values = {};

        boolean[] of(int rows)
        {
            if (values.length < rows) {
                values = new boolean[rows];
            }
            return values;
        }
    }

    private static void choose(boolean[] isFirst, Vector first, Vector second, boolean isText, Vector result, int rows)
    {
        result.hasNulls = false;
        if (first.hasNulls || second.hasNulls) {
            boolean[] nulls = result.nullsFor(rows);
            for (int row = 0; row < rows; row++) {
                nulls[row] = isFirst[row] ? first.isNull(row) : second.isNull(row);
            }
        }
        if (isText) {
            chooseTexts(isFirst, first, second, result, rows);
            return;
        }
        choose(isFirst, first.low, second.low, result.lowFor(rows), rows);
        if (first.has128Bits || second.has128Bits) {
            choose(isFirst, first.highs(rows), second.highs(rows), result.highFor(rows), rows);
        }
    }

    private static void choose(boolean[] isFirst, long[] first, long[] second, long[] values, int rows)
    {
        for (int row = 0; row < rows; row++) {
            values[row] = isFirst[row] ? first[row] : second[row];
        }
    }

    // Texts of two vectors are copied into one.
    private static void chooseTexts(boolean[] isFirst, Vector first, Vector second, Vector result, int rows)
    {
        result.reserveText(rows);
        int end = 0;
        for (int row = 0; row < rows; row++) {
            Vector chosen = isFirst[row] ? first : second;
            int length = chosen.ends[row] - chosen.starts[row];
            if (result.text.length - end < length) {
                byte[] longer = new byte[max(2 * result.text.length, end + length)];
                System.arraycopy(result.text, 0, longer, 0, end);
                result.text = longer;
            }
            System.arraycopy(chosen.text, chosen.starts[row], result.text, end, length);
            result.starts[row] = end;
            end += length;
            result.ends[row] = end;
        }
    }
}
