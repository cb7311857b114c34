package io.mysqlpq.trino.load;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * An INSERT with one row of parameters, in parts: {@code INSERT INTO t (a, b) VALUES (?, CAST(? AS DATE))} and what may follow.
 *
 * @param mark a comment before the statement, or nothing
 * @param table the table's name, quoted
 * @param columns the list of columns, quoted, with its parentheses
 * @param row the row without its parameters: what stands before the first, between two of them, and after the last one
 * @param rest what follows the row, such as a comment
 */
record InsertTemplate(String mark, String table, String columns, List<String> row, String rest)
{
    private static final String INSERT = "INSERT INTO ";
    private static final String VALUES = " VALUES ";

    InsertTemplate
    {
        requireNonNull(mark, "mark is null");
        requireNonNull(table, "table is null");
        requireNonNull(columns, "columns is null");
        row = ImmutableList.copyOf(row);
        requireNonNull(rest, "rest is null");
    }

    int parameters()
    {
        return row.size() - 1;
    }

    /** What stands before the rows. */
    String head()
    {
        return mark + INSERT + table + " " + columns + VALUES;
    }

    /** Returns empty for any other statement. */
    static Optional<InsertTemplate> parse(String sql)
    {
        int insert = markLength(sql);
        if (!sql.startsWith(INSERT, insert)) {
            return Optional.empty();
        }
        int columns = skipTo(sql, insert, '(');
        int columnsEnd = skipTo(sql, columns, ')') + 1;
        if (columns == sql.length() || columnsEnd > sql.length() || !sql.startsWith(VALUES + "(", columnsEnd)) {
            return Optional.empty();
        }
        ImmutableList.Builder<String> row = ImmutableList.builder();
        int start = columnsEnd + VALUES.length();
        int depth = 0;
        for (int position = start; position < sql.length(); position = next(sql, position)) {
            switch (sql.charAt(position)) {
                case '(' -> depth++;
                case ')' -> depth--;
                case '?' -> {
                    row.add(sql.substring(start, position));
                    start = position + 1;
                }
                default -> {}
            }
            if (depth == 0) {
                row.add(sql.substring(start, position + 1));
                return Optional.of(new InsertTemplate(sql.substring(0, insert), sql.substring(insert + INSERT.length(), columns).trim(), sql.substring(columns, columnsEnd), row.build(), sql.substring(position + 1)));
            }
        }
        return Optional.empty();
    }

    private static int markLength(String sql)
    {
        int end = sql.startsWith("/*") ? sql.indexOf("*/ ") : -1;
        return end < 0 ? 0 : end + "*/ ".length();
    }

    // The position of the character outside of quotes, or the length of the statement.
    private static int skipTo(String sql, int from, char wanted)
    {
        int position = from;
        while (position < sql.length() && sql.charAt(position) != wanted) {
            position = next(sql, position);
        }
        return position;
    }

    // A quote within quotes is doubled, so it ends one quoted text and begins another.
    private static int next(String sql, int position)
    {
        char character = sql.charAt(position);
        if (character != '`' && character != '\'' && character != '"') {
            return position + 1;
        }
        int end = sql.indexOf(character, position + 1);
        return end < 0 ? sql.length() : end + 1;
    }
}
