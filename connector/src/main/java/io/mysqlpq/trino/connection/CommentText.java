package io.mysqlpq.trino.connection;

import java.util.HexFormat;
import java.util.function.IntPredicate;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Writes text of others so that it can stand in a comment of SQL, whatever it holds: what is not allowed becomes the %XX of its UTF-8 bytes.
 *
 * <p>What comes out is printable ASCII without an asterisk, which therefore ends no comment in any character set, and without a question
 * mark, which a driver could take for a parameter.
 */
final class CommentText
{
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private CommentText()
    {}

    /** One word: letters, digits and what names of users are made of. */
    static String word(String text, int mostCharacters)
    {
        return escape(text, mostCharacters, character -> isLetterOrDigit(character) || "._@-+/:=,".indexOf(character) >= 0);
    }

    /** Printable characters, and spaces. */
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
