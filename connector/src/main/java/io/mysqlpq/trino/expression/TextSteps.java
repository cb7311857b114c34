package io.mysqlpq.trino.expression;

import java.util.OptionalLong;

/** Makes the steps of functions of text. */
final class TextSteps
{
    private TextSteps()
    {}

    static Step like(Vector text, TextPattern pattern, Vector result)
    {
        return rows -> {
            result.takeNulls(text);
            long[] values = result.lowFor(rows);
            for (int row = 0; row < rows; row++) {
                values[row] = !text.isNull(row) && pattern.matches(text.text, text.starts[row], text.ends[row]) ? 1 : 0;
            }
        };
    }

    static Step length(Vector text, Vector result)
    {
        return rows -> {
            result.takeNulls(text);
            long[] values = result.lowFor(rows);
            for (int row = 0; row < rows; row++) {
                values[row] = Utf8.length(text.text, text.starts[row], text.ends[row]);
            }
        };
    }

    /** Finds parts in the bytes of the whole texts. */
    static Step substring(Vector text, long start, OptionalLong length, Vector result)
    {
        long most = length.orElse(Long.MAX_VALUE);
        return rows -> {
            result.takeNulls(text);
            result.reserveText(rows);
            result.text = text.text;
            for (int row = 0; row < rows; row++) {
                int from = start(text, row, start);
                result.starts[row] = from;
                result.ends[row] = from == text.ends[row] ? from : Utf8.skip(text.text, from, text.ends[row], most);
            }
        };
    }

    // The end, if the text does not have this code point.
    private static int start(Vector text, int row, long start)
    {
        int end = text.ends[row];
        if (start > 0) {
            return Utf8.skip(text.text, text.starts[row], end, start - 1);
        }
        long skipped = start == 0 ? -1 : Utf8.length(text.text, text.starts[row], end) + start;
        return skipped < 0 ? end : Utf8.skip(text.text, text.starts[row], end, skipped);
    }
}
