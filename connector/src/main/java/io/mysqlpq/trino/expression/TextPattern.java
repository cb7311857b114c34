package io.mysqlpq.trino.expression;

import io.airlift.slice.Slices;

import java.util.Arrays;
import java.util.Optional;

/** Matches text with a pattern of LIKE. */
final class TextPattern
{
    // What is no byte of a pattern's text.
    private static final short ANY_CHARACTER = 256;
    private static final short ANY_TEXT = 257;

    private final short[] tokens;

    private TextPattern(short[] tokens)
    {
        this.tokens = tokens;
    }

    /** Reads a pattern. Empty if it is not one: the escape is a single character, and stands before itself, % or _. */
    static Optional<TextPattern> parse(String pattern, Optional<String> escape)
    {
        if (escape.isPresent() && escape.get().length() != 1) {
            return Optional.empty();
        }
        byte[] bytes = Slices.utf8Slice(pattern).getBytes();
        byte[] mark = escape.map(text -> Slices.utf8Slice(text).getBytes()).orElse(new byte[0]);
        if (mark.length > 1) {
            return Optional.empty();
        }
        short[] tokens = new short[bytes.length];
        int count = 0;
        for (int index = 0; index < bytes.length; index++) {
            if (mark.length > 0 && bytes[index] == mark[0]) {
                index++;
                if (index == bytes.length || !(bytes[index] == mark[0] || bytes[index] == '%' || bytes[index] == '_')) {
                    return Optional.empty();
                }
                tokens[count++] = bytes[index];
            }
            else {
                tokens[count++] = switch (bytes[index]) {
                    case '%' -> ANY_TEXT;
                    case '_' -> ANY_CHARACTER;
                    default -> bytes[index];
                };
            }
        }
        return Optional.of(new TextPattern(Arrays.copyOf(tokens, count)));
    }

    boolean matches(byte[] text, int start, int end)
    {
        int position = start;
        int token = 0;
        // Where the last % began to match, and the token after it.
        int retried = start;
        int afterAny = -1;
        while (position < end) {
            if (token < tokens.length && tokens[token] == ANY_TEXT) {
                token++;
                afterAny = token;
                retried = position;
            }
            else if (token < tokens.length && tokens[token] == ANY_CHARACTER) {
                token++;
                position = Utf8.next(text, position, end);
            }
            else if (token < tokens.length && tokens[token] == text[position]) {
                token++;
                position++;
            }
            else if (afterAny == tokens.length) {
                return true;
            }
            else if (afterAny >= 0) {
                retried = Utf8.next(text, retried, end);
                position = retried;
                token = afterAny;
            }
            else {
                return false;
            }
        }
        while (token < tokens.length && tokens[token] == ANY_TEXT) {
            token++;
        }
        return token == tokens.length;
    }
}
