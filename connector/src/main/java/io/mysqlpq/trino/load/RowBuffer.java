package io.mysqlpq.trino.load;

import java.util.Arrays;
import java.util.BitSet;

import static java.lang.Math.max;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Keeps rows until they are sent: of each value its text in UTF-8, or its bytes, without any quotes or escapes. */
final class RowBuffer
{
    static final byte NULL = 0;
    /** A number as SQL writes it. */
    static final byte NUMBER = 1;
    static final byte TEXT = 2;
    static final byte BYTES = 3;

    private final int columns;
    private byte[] bytes = new byte[1 << 12];
    // These have an entry for each value, in the order of rows and columns.
    private int[] ends;
    private byte[] kinds;
    private int values;
    private int size;

    RowBuffer(int columns)
    {
        this.columns = columns;
        this.ends = new int[columns];
        this.kinds = new byte[columns];
    }

    int columns()
    {
        return columns;
    }

    int rows()
    {
        return values / columns;
    }

    /** The memory that it uses, in bytes, whatever is in it. */
    long size()
    {
        return size + 5L * values;
    }

    byte kind(int value)
    {
        return kinds[value];
    }

    int start(int value)
    {
        return value == 0 ? 0 : ends[value - 1];
    }

    int end(int value)
    {
        return ends[value];
    }

    /** Whether a row has NULL in one of these columns. */
    boolean hasNull(BitSet wanted)
    {
        for (int column = wanted.nextSetBit(0); column >= 0; column = wanted.nextSetBit(column + 1)) {
            for (int value = column; value < values; value += columns) {
                if (kinds[value] == NULL) {
                    return true;
                }
            }
        }
        return false;
    }

    byte[] bytes()
    {
        return bytes;
    }

    void clear()
    {
        values = 0;
        size = 0;
    }

    void addNull()
    {
        end(NULL);
    }

    void add(long number)
    {
        addAscii(NUMBER, Long.toString(number));
    }

    void addNumber(String number)
    {
        addAscii(NUMBER, number);
    }

    void addText(String text)
    {
        int length = text.length();
        reserve(length);
        int position = size;
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                add(TEXT, text.getBytes(UTF_8));
                return;
            }
            bytes[position++] = (byte) character;
        }
        size = position;
        end(TEXT);
    }

    void addBytes(byte[] value)
    {
        add(BYTES, value);
    }

    private void add(byte kind, byte[] value)
    {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        end(kind);
    }

    @SuppressWarnings("deprecation")
    private void addAscii(byte kind, String text)
    {
        int length = text.length();
        reserve(length);
        // Takes the low byte of each character, and all of them are ASCII.
        text.getBytes(0, length, bytes, size);
        size += length;
        end(kind);
    }

    private void end(byte kind)
    {
        if (values == ends.length) {
            ends = Arrays.copyOf(ends, 2 * values);
            kinds = Arrays.copyOf(kinds, 2 * values);
        }
        ends[values] = size;
        kinds[values] = kind;
        values++;
    }

    private void reserve(int more)
    {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) max(needed, Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
    }
}
