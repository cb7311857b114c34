package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyColumn;

import java.math.BigInteger;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes up strings between two others, as hex. It takes the characters in which they differ first for the digits of a number.
 *
 * <p>The digits are in the order that most collations give characters. If a column's collation has another order, or its character set is
 * not one of Unicode, the ranges are less even, and still right.
 */
final class TextSteps
{
    private static final int DIGITS = 5;
    private static final String PUNCTUATION = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
    private static final String CASELESS = PUNCTUATION + "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final String ASCII = IntStream.range(' ', 0x7f).collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    private static final int CODE_POINTS = 0x110000;
    private static final int CODE_POINTS_IN_TWO_BYTES = 0x10000;

    private final Charset charset;
    private final int codePoints;
    private final boolean caseless;
    private final boolean descending;

    TextSteps(KeyColumn column)
    {
        String name = column.charset().orElseThrow();
        this.charset = switch (name) {
            case "utf8mb4", "utf8mb3" -> UTF_8;
            case "utf16", "ucs2" -> UTF_16BE;
            case "utf16le" -> UTF_16LE;
            case "utf32" -> Charset.forName("UTF-32BE");
            // Byte by byte.
            default -> ISO_8859_1;
        };
        this.codePoints = switch (name) {
            case "utf8mb4", "utf16", "utf16le", "utf32" -> CODE_POINTS;
            case "utf8mb3", "ucs2" -> CODE_POINTS_IN_TWO_BYTES;
            default -> 256;
        };
        this.caseless = !column.collation().orElseThrow().endsWith("_bin");
        this.descending = column.descending();
    }

    Stream<String> between(String fromHex, String toHex, int count)
    {
        int[] from = characters(fromHex);
        int[] to = characters(toHex);
        int common = 0;
        while (common < from.length && common < to.length && from[common] == to[common]) {
            common++;
        }
        String prefix = new String(from, 0, common);
        Digits digits = digits(from, to, common);
        BigInteger low = digits.number(from, common);
        BigInteger high = digits.number(to, common);
        // Where the order of the digits is not the collation's, anything may lie between.
        boolean ordered = descending ? low.compareTo(high) > 0 : low.compareTo(high) < 0;
        return Steps.between(ordered ? low : BigInteger.ZERO, ordered ? high : digits.greatest(), count).stream()
                .map(step -> hex(prefix + digits.text(step)));
    }

    private int[] characters(String hex)
    {
        String text = new String(HexFormat.of().parseHex(hex), charset);
        return (caseless ? text.toLowerCase(Locale.ENGLISH) : text).codePoints().toArray();
    }

    private String hex(String text)
    {
        return HexFormat.of().formatHex(text.getBytes(charset));
    }

    private Digits digits(int[] from, int[] to, int start)
    {
        String alphabet = caseless ? CASELESS : ASCII;
        boolean known = Stream.of(from, to).flatMapToInt(text -> Arrays.stream(text).skip(start).limit(DIGITS)).allMatch(c -> alphabet.indexOf(c) >= 0);
        return known ? new Digits(alphabet, alphabet.length() + 1) : new Digits("", codePoints + 1);
    }

    // Zero stands for the end of the text.
    private record Digits(String alphabet, int base)
    {
        BigInteger number(int[] text, int start)
        {
            BigInteger number = BigInteger.ZERO;
            for (int i = start; i < start + DIGITS; i++) {
                number = number.multiply(BigInteger.valueOf(base)).add(BigInteger.valueOf(i < text.length ? digit(text[i]) : 0));
            }
            return number;
        }

        BigInteger greatest()
        {
            return BigInteger.valueOf(base).pow(DIGITS).subtract(BigInteger.ONE);
        }

        String text(BigInteger number)
        {
            StringBuilder text = new StringBuilder();
            BigInteger rest = number;
            BigInteger weight = BigInteger.valueOf(base).pow(DIGITS - 1);
            for (int i = 0; i < DIGITS && rest.signum() > 0; i++) {
                BigInteger[] parts = rest.divideAndRemainder(weight);
                text.appendCodePoint(character(Math.max(parts[0].intValueExact() - 1, 0)));
                rest = parts[1];
                weight = weight.divide(BigInteger.valueOf(base));
            }
            return text.toString();
        }

        private int digit(int codePoint)
        {
            return alphabet.isEmpty() ? Math.min(codePoint + 1, base - 1) : alphabet.indexOf(codePoint) + 1;
        }

        private int character(int digit)
        {
            if (!alphabet.isEmpty()) {
                return alphabet.charAt(digit);
            }
            // Halves of characters are none.
            return digit >= Character.MIN_SURROGATE && digit <= Character.MAX_SURROGATE ? Character.MIN_SURROGATE - 1 : digit;
        }
    }
}
