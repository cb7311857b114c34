package io.mysqlpq.testing.random;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;

/**
 * Draws strings that are hard to order: equal but for case and accent, empty, padded, with NUL, beyond the BMP.
 */
public final class RandomText
{
    private static final int[] ALPHABET = "aAbBzZ09 éÉßæﬀ字😀\0\t'`\"\\%_".codePoints().toArray();

    private RandomText()
    {}

    public static String draw(Random random, int maximumLength)
    {
        // Short strings share leading characters with long ones more often.
        int length = random.nextInt(random.nextInt(maximumLength + 1) + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(ALPHABET[random.nextInt(ALPHABET.length)]);
        }
        return text.toString();
    }

    public static String literal(String text)
    {
        return "_utf8mb4 x'" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "'";
    }
}
