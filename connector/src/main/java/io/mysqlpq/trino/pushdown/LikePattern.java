package io.mysqlpq.trino.pushdown;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.PrimitiveIterator;

/** Writes a pattern of Trino's LIKE as MySQL's. Trino's has an escape character only if the query names one. */
final class LikePattern
{
    static final char ESCAPE = '|';

    private static final String SPECIAL = "%_";

    private LikePattern()
    {}

    /** Writes the pattern. Empty if Trino would refuse it. */
    static Optional<String> of(String pattern, OptionalInt escape)
    {
        StringBuilder translated = new StringBuilder();
        PrimitiveIterator.OfInt characters = pattern.codePoints().iterator();
        while (characters.hasNext()) {
            int character = characters.nextInt();
            boolean escaped = escape.isPresent() && character == escape.getAsInt();
            if (escaped) {
                if (!characters.hasNext()) {
                    return Optional.empty();
                }
                character = characters.nextInt();
                if (SPECIAL.indexOf(character) < 0 && character != escape.getAsInt()) {
                    return Optional.empty();
                }
            }
            if (character == ESCAPE || (escaped && SPECIAL.indexOf(character) >= 0)) {
                translated.append(ESCAPE);
            }
            translated.appendCodePoint(character);
        }
        return Optional.of(translated.toString());
    }
}
