package io.mysqlpq.trino.client;

/**
 * Removes blanks, comments and semicolons from the end of a statement that a user wrote, so that it can stand in parentheses.
 *
 * @param backslashEscapes whether a backslash in quotes hides the character behind it, as without sql_mode NO_BACKSLASH_ESCAPES
 * @param ansiQuotes whether double quotes are around a name, as with sql_mode ANSI_QUOTES
 */
record PassedSql(boolean backslashEscapes, boolean ansiQuotes)
{
    String withoutEnd(String sql)
    {
        int end = 0;
        int position = 0;
        while (position < sql.length()) {
            int next = afterBlankOrComment(sql, position);
            if (next == position) {
                next = afterToken(sql, position);
                end = next;
            }
            position = next;
        }
        return sql.substring(0, end);
    }

    // A semicolon counts as a blank: behind it MySQL takes nothing but blanks and comments.
    private static int afterBlankOrComment(String sql, int position)
    {
        char character = sql.charAt(position);
        if (Character.isWhitespace(character) || character == ';') {
            return position + 1;
        }
        if (character == '#' || isDashes(sql, position)) {
            int line = sql.indexOf('\n', position);
            return line < 0 ? sql.length() : line + 1;
        }
        // Hints and statements for some versions only are no comments.
        if (sql.startsWith("/*", position) && !sql.startsWith("/*!", position) && !sql.startsWith("/*+", position)) {
            int close = sql.indexOf("*/", position + 2);
            return close < 0 ? position : close + 2;
        }
        return position;
    }

    private static boolean isDashes(String sql, int position)
    {
        return sql.startsWith("--", position) && (position + 2 == sql.length() || sql.charAt(position + 2) <= ' ');
    }

    private int afterToken(String sql, int position)
    {
        return switch (sql.charAt(position)) {
            case '\'' -> afterQuote(sql, position, backslashEscapes);
            case '"' -> afterQuote(sql, position, backslashEscapes && !ansiQuotes);
            case '`' -> afterQuote(sql, position, false);
            default -> position + 1;
        };
    }

    // A doubled quote ends here, and begins the rest of what it is in.
    private static int afterQuote(String sql, int begin, boolean escapes)
    {
        char quote = sql.charAt(begin);
        int position = begin + 1;
        while (position < sql.length() && sql.charAt(position) != quote) {
            position += escapes && sql.charAt(position) == '\\' ? 2 : 1;
        }
        return Math.min(position + 1, sql.length());
    }
}
