package io.mysqlpq.testing.random;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes inputs for decoders of some good bytes: a few changes each time, of single bytes, of parts that are cut out, doubled or moved, and of pieces put in.
 */
public final class DamagedBytes
{
    private static final int MOST_CHANGES = 4;
    // In the midst of JSON, or as lengths and numbers of a binary form.
    private static final List<byte[]> PIECES = List.of(
            text("null"), text("true"), text("-1"), text("0"), text("1e400"), text("99999999999999999999"), text("4294967297"), text("\"\""), text("\"\\ud800\""), text("[]"), text("{}"),
            text("[[[["), text("\""), text("\\"), text(","), text("\u0000"), text("0000-00-00"), text("-0"),
            new byte[] {-1, -1, -1, -1}, new byte[] {-1, -1, -1, 127}, new byte[] {0, 0, 0, 0}, new byte[] {0, 0, 0, -128}, new byte[] {-2}, new byte[] {-5});

    private final byte[] whole;

    public DamagedBytes(byte[] whole)
    {
        this.whole = whole.clone();
    }

    /** Reads the bytes of a file beside the class. */
    public static DamagedBytes ofResource(Class<?> owner, String name)
    {
        try (InputStream stream = owner.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalArgumentException("No resource %s beside %s".formatted(name, owner));
            }
            return new DamagedBytes(stream.readAllBytes());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public byte[] whole()
    {
        return whole.clone();
    }

    /** Never longer than twice the whole, by much. */
    public byte[] next(Random random)
    {
        byte[] bytes = whole.clone();
        for (int change = 1 + random.nextInt(MOST_CHANGES); change > 0; change--) {
            bytes = change(bytes, random);
        }
        return bytes;
    }

    private static byte[] change(byte[] bytes, Random random)
    {
        if (bytes.length == 0) {
            return PIECES.get(random.nextInt(PIECES.size()));
        }
        int at = random.nextInt(bytes.length);
        int size = Math.min(random.nextInt(1 + random.nextInt(40)), bytes.length - at);
        return switch (random.nextInt(8)) {
            case 0 -> replaced(bytes, at, 1, new byte[] {(byte) random.nextInt()});
            case 1 -> replaced(bytes, at, 1, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(8))});
            case 2 -> replaced(bytes, at, 1, new byte[] {(byte) ('0' + random.nextInt(10))});
            case 3 -> replaced(bytes, at, size, new byte[0]);
            case 4 -> replaced(bytes, random.nextInt(bytes.length), 0, Arrays.copyOfRange(bytes, at, at + size));
            case 5 -> replaced(bytes, at, 0, PIECES.get(random.nextInt(PIECES.size())));
            case 6 -> {
                byte[] piece = PIECES.get(random.nextInt(PIECES.size()));
                yield replaced(bytes, at, Math.min(piece.length, bytes.length - at), piece);
            }
            default -> random.nextInt(8) == 0 ? Arrays.copyOf(bytes, at) : replaced(bytes, at, size, PIECES.get(random.nextInt(PIECES.size())));
        };
    }

    private static byte[] replaced(byte[] bytes, int at, int size, byte[] piece)
    {
        byte[] result = new byte[bytes.length - size + piece.length];
        System.arraycopy(bytes, 0, result, 0, at);
        System.arraycopy(piece, 0, result, at, piece.length);
        System.arraycopy(bytes, at + size, result, at + piece.length, bytes.length - at - size);
        return result;
    }

    private static byte[] text(String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
