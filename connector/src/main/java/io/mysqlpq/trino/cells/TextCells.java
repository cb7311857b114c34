package io.mysqlpq.trino.cells;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;

import java.lang.invoke.VarHandle;

import static io.airlift.slice.SliceUtf8.lengthOfCodePoint;
import static io.airlift.slice.SliceUtf8.tryGetCodePointAt;
import static io.mysqlpq.trino.cells.PacketRows.NULL;
import static java.lang.Math.max;
import static java.lang.invoke.MethodHandles.byteArrayViewVarHandle;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Decodes text in UTF-8, and bytes. */
public final class TextCells
{
    private static final VarHandle LONG = byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private TextCells()
    {}

    public static Block bytes(PacketRows cells, int column)
    {
        return block(cells, column, cells.lengths(column));
    }

    /** @param mostCharacters what the column's type allows */
    public static PacketDecoder texts(int mostCharacters)
    {
        return (cells, column) -> {
            checkTexts(cells, column, mostCharacters);
            return block(cells, column, cells.lengths(column));
        };
    }

    /** Decodes CHAR without the spaces at its end, as Trino has it. */
    public static PacketDecoder paddedTexts(int mostCharacters)
    {
        return (cells, column) -> {
            checkTexts(cells, column, mostCharacters);
            return block(cells, column, lengthsWithoutPadding(cells, column));
        };
    }

    // The driver replaces what is no UTF-8.
    private static void checkTexts(PacketRows cells, int column, int mostCharacters)
            throws UnusualCellException
    {
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < cells.rows(); row++) {
            int length = lengths[row];
            if (length > mostCharacters || !isAscii(bytes, offsets[row], length)) {
                if (characters(bytes, offsets[row], length) > mostCharacters) {
                    throw new UnusualCellException();
                }
            }
        }
    }

    private static boolean isAscii(byte[] bytes, int offset, int length)
    {
        int end = offset + length;
        int at = offset;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            if (((long) LONG.get(bytes, at) & HIGH_BITS) != 0) {
                return false;
            }
        }
        // What comes after is shifted out.
        return at >= end || (((long) LONG.get(bytes, at) << (Long.SIZE - Byte.SIZE * (end - at))) & HIGH_BITS) == 0;
    }

    private static int characters(byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        Slice text = Slices.wrappedBuffer(bytes, offset, length);
        int characters = 0;
        for (int at = 0; at < length; characters++) {
            int codePoint = tryGetCodePointAt(text, at);
            if (codePoint < 0) {
                throw new UnusualCellException();
            }
            at += lengthOfCodePoint(codePoint);
        }
        return characters;
    }

    private static int[] lengthsWithoutPadding(PacketRows cells, int column)
    {
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column).clone();
        for (int row = 0; row < cells.rows(); row++) {
            while (lengths[row] > 0 && bytes[offsets[row] + lengths[row] - 1] == ' ') {
                lengths[row]--;
            }
        }
        return lengths;
    }

    private static Block block(PacketRows cells, int column, int[] lengths)
    {
        int rows = cells.rows();
        int[] ends = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            ends[row + 1] = ends[row] + max(lengths[row], 0);
        }
        byte[] values = new byte[ends[rows]];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        for (int row = 0; row < rows; row++) {
            if (lengths[row] != NULL) {
                System.arraycopy(bytes, offsets[row], values, ends[row], lengths[row]);
            }
        }
        return Blocks.binaries(cells.valid(column), ends, Slices.wrappedBuffer(values));
    }
}
