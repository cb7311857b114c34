package io.mysqlpq.trino.connection;

import java.util.HexFormat;
import java.util.function.IntPredicate;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Writes any text so that it can stand in a comment of SQL. Characters that may not stand there become %XX, for each of their bytes in
 * UTF-8.
 *
 * <p>The result is printable ASCII. It has no asterisk, so it ends no comment in any character set. It has no question mark, which a driver
 * could take for a parameter.
 */
final class CommentText
{
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private CommentText()
    {}

    /** Writes one word. It keeps letters, digits and other characters that names of users have. */
    static String word(String text, int mostCharacters)
    {
        return escape(text, mostCharacters, character -> isLetterOrDigit(character) || "._@-+/:=,".indexOf(character) >= 0);
    }

    /** Writes one line. It keeps printable characters and spaces. */
    static String line(String text, int mostCharacters)
    {
        return escape(text, mostCharacters, character -> character >= ' ' && character <= '~' && "*?\\".indexOf(character) < 0);
    }

    private static boolean isLetterOrDigit(int character)
    {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || (character >= '0' && character <= '9');
    }

    private static String escape(String text, int mostCharacters, IntPredicate allowed)
    {
        StringBuilder escaped = new StringBuilder();
        for (byte utf8 : text.getBytes(UTF_8)) {
            String next = allowed.test(utf8) ? String.valueOf((char) utf8) : "%" + HEX.toHexDigits(utf8);
            if (escaped.length() + next.length() > mostCharacters) {
                break;
            }
            escaped.append(next);
        }
        return escaped.toString();
    }
}
