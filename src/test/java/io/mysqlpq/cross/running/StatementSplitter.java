package io.mysqlpq.cross.running;

import java.util.Optional;

/**
 * Splits typed text into SQL statements at semicolons that stand outside of quotes and comments.
 */
public final class StatementSplitter
{
    private enum Place
    {
        SQL, STRING, IDENTIFIER, LINE_COMMENT, BLOCK_COMMENT
    }

    private final StringBuilder text = new StringBuilder();
    private int scanned;
    private Place place = Place.SQL;

    public void append(String more)
    {
        text.append(more);
    }

    // Whether nothing of a next statement has been typed yet.
    public boolean isEmpty()
    {
        return text.toString().isBlank();
    }

    public Optional<String> next()
    {
        for (; scanned < text.length(); scanned++) {
            if (place == Place.SQL && text.charAt(scanned) == ';') {
                return Optional.of(take(scanned));
            }
            advance();
        }
        return Optional.empty();
    }

    // What is left after the last semicolon.
    public String rest()
    {
        return text.toString().strip();
    }

    private String take(int end)
    {
        String statement = text.substring(0, end).strip();
        text.delete(0, end + 1);
        scanned = 0;
        return statement;
    }

    // A doubled quote inside quotes leaves and enters them again, which comes to the same.
    private void advance()
    {
        place = switch (place) {
            case SQL -> enter();
            case STRING -> at("'") ? Place.SQL : place;
            case IDENTIFIER -> at("\"") ? Place.SQL : place;
            case LINE_COMMENT -> at("\n") ? Place.SQL : place;
            case BLOCK_COMMENT -> at("*/") ? Place.SQL : place;
        };
    }

    private Place enter()
    {
        if (at("'")) {
            return Place.STRING;
        }
        if (at("\"")) {
            return Place.IDENTIFIER;
        }
        if (at("--")) {
            return Place.LINE_COMMENT;
        }
        return at("/*") ? Place.BLOCK_COMMENT : Place.SQL;
    }

    private boolean at(String token)
    {
        return text.indexOf(token, scanned) == scanned;
    }
}
