package io.mysqlpq.trino.load;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.SliceOutput;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Writes rows as MySQL takes them in: as the rows of an INSERT, or as the lines of a LOAD DATA. */
final class RowText
{
    private static final byte[] HEX_DIGITS = "0123456789abcdef".getBytes(US_ASCII);
    // What stands for a character behind a backslash, in SQL's texts and in LOAD DATA's fields. 0 if the character stands for itself.
    private static final byte[] ESCAPED = new byte[256];

    static {
        ESCAPED[0] = '0';
        ESCAPED['\n'] = 'n';
        ESCAPED['\t'] = 't';
        ESCAPED['\''] = '\'';
        ESCAPED['\\'] = '\\';
    }

    private final boolean backslashEscapes;
    private final DynamicSliceOutput output = new DynamicSliceOutput(1 << 12);

    /** @param backslashEscapes whether a backslash hides the character behind it in SQL's texts, as without sql_mode NO_BACKSLASH_ESCAPES */
    RowText(boolean backslashEscapes)
    {
        this.backslashEscapes = backslashEscapes;
    }

    /** The rows from {@code first} on, one in each line. Fields end with tabs, {@code \N} is NULL, and there are no bytes. */
    InputStream lines(RowBuffer rows, int first)
    {
        output.reset();
        int columns = rows.columns();
        int values = rows.rows() * columns;
        for (int value = first * columns; value < values; value++) {
            switch (rows.kind(value)) {
                case RowBuffer.NULL -> output.writeShort('\\' | 'N' << 8);
                case RowBuffer.NUMBER -> output.writeBytes(rows.bytes(), rows.start(value), rows.end(value) - rows.start(value));
                case RowBuffer.TEXT -> escape(output, rows.bytes(), rows.start(value), rows.end(value));
                default -> throw new IllegalArgumentException("A line cannot have bytes");
            }
            output.writeByte((value + 1) % columns == 0 ? '\n' : '\t');
        }
        return new ByteArrayInputStream(output.getUnderlyingSlice().byteArray(), output.getUnderlyingSlice().byteArrayOffset(), output.size());
    }

    /**
     * Writes an INSERT of rows from {@code first} on, as many as fit into {@code limit} bytes, at least one.
     *
     * @return how many rows it has
     */
    int insert(InsertTemplate template, RowBuffer rows, int first, int limit)
    {
        checkArgument(first < rows.rows(), "No row %s", first);
        output.reset();
        output.writeBytes(template.head().getBytes(UTF_8));
        byte[][] parts = template.row().stream().map(part -> part.getBytes(UTF_8)).toArray(byte[][]::new);
        int row = first;
        int end = output.size();
        while (row < rows.rows()) {
            if (row > first) {
                output.writeByte(',');
            }
            output.writeBytes(parts[0]);
            for (int column = 0; column < rows.columns(); column++) {
                literal(rows, row * rows.columns() + column);
                output.writeBytes(parts[column + 1]);
            }
            if (row > first && output.size() > limit) {
                break;
            }
            row++;
            end = output.size();
        }
        // Without the row that was too much.
        output.reset(end);
        output.writeBytes(template.rest().getBytes(UTF_8));
        return row - first;
    }

    /** The statement that was written last. */
    String sql()
    {
        return output.slice().toStringUtf8();
    }

    private void literal(RowBuffer rows, int value)
    {
        int start = rows.start(value);
        int end = rows.end(value);
        switch (rows.kind(value)) {
            case RowBuffer.NULL -> output.writeBytes("NULL".getBytes(US_ASCII));
            case RowBuffer.NUMBER -> output.writeBytes(rows.bytes(), start, end - start);
            case RowBuffer.TEXT -> {
                output.writeByte('\'');
                if (backslashEscapes) {
                    escape(output, rows.bytes(), start, end);
                }
                else {
                    doubleQuotes(output, rows.bytes(), start, end);
                }
                output.writeByte('\'');
            }
            case RowBuffer.BYTES -> {
                output.writeByte('x');
                output.writeByte('\'');
                for (int i = start; i < end; i++) {
                    output.writeByte(HEX_DIGITS[(rows.bytes()[i] >> 4) & 0xf]);
                    output.writeByte(HEX_DIGITS[rows.bytes()[i] & 0xf]);
                }
                output.writeByte('\'');
            }
            default -> throw new IllegalArgumentException("Unknown kind of value: " + rows.kind(value));
        }
    }

    private static void escape(SliceOutput output, byte[] text, int start, int end)
    {
        int copied = start;
        for (int i = start; i < end; i++) {
            byte escaped = ESCAPED[text[i] & 0xff];
            if (escaped != 0) {
                output.writeBytes(text, copied, i - copied);
                output.writeByte('\\');
                output.writeByte(escaped);
                copied = i + 1;
            }
        }
        output.writeBytes(text, copied, end - copied);
    }

    private static void doubleQuotes(SliceOutput output, byte[] text, int start, int end)
    {
        for (int i = start; i < end; i++) {
            if (text[i] == '\'') {
                output.writeByte('\'');
            }
            output.writeByte(text[i]);
        }
    }
}
