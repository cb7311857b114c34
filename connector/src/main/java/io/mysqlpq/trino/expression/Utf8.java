package io.mysqlpq.trino.expression;

/** Finds code points in bytes of UTF-8. */
final class Utf8
{
    private Utf8()
    {}

    /** Where the code point after the one at {@code position} begins. */
    static int next(byte[] text, int position, int end)
    {
        byte first = text[position];
        int length;
        if (first >= 0) {
            length = 1;
        }
        else if ((first & 0xe0) == 0xc0) {
            length = 2;
        }
        else if ((first & 0xf0) == 0xe0) {
            length = 3;
        }
        else {
            length = 4;
        }
        return Math.min(position + length, end);
    }

    /** Where the code point begins that is {@code count} after {@code position}; the end if there are fewer. */
    static int skip(byte[] text, int position, int end, long count)
    {
        for (long skipped = 0; skipped < count && position < end; skipped++) {
            position = next(text, position, end);
        }
        return position;
    }

    static int length(byte[] text, int position, int end)
    {
        int length = 0;
        for (int index = position; index < end; index++) {
            // All bytes of a code point but the first begin with 10.
            length += (text[index] & 0xc0) == 0x80 ? 0 : 1;
        }
        return length;
    }
}
