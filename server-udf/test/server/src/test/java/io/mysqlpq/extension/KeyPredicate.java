package io.mysqlpq.extension;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes the SQL condition of a key range on its own, so that the tests share no code with the connector.
 */
final class KeyPredicate
{
    private final List<KeyColumn> columns;

    KeyPredicate(List<KeyColumn> columns)
    {
        this.columns = List.copyOf(columns);
    }

    // A null bound is an open end. Never UNKNOWN for any row, NULLs included.
    String range(List<String> lower, List<String> upper)
    {
        String fromLower = lower == null ? "TRUE" : "NOT " + before(lower);
        String toUpper = upper == null ? "TRUE" : before(upper);
        return "(%s AND %s)".formatted(fromLower, toUpper);
    }

    // (a before x) OR (a is x AND b before y) OR ...
    String before(List<String> bound)
    {
        List<String> alternatives = new ArrayList<>();
        String equal = "";
        for (int i = 0; i < bound.size(); i++) {
            alternatives.add("(" + equal + partBefore(columns.get(i), bound.get(i)) + ")");
            equal += equal(columns.get(i), bound.get(i)) + " AND ";
        }
        return "(" + String.join(" OR ", alternatives) + ")";
    }

    String equal(List<String> key)
    {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            parts.add(equal(columns.get(i), key.get(i)));
        }
        return String.join(" AND ", parts);
    }

    private static String equal(KeyColumn column, String value)
    {
        return "(%s <=> %s)".formatted(column.expression(), column.literal(value));
    }

    // NULL sorts before every value, so in a descending column after every value.
    private static String partBefore(KeyColumn column, String value)
    {
        String expression = column.expression();
        if (value == null) {
            return column.descending() ? "%s IS NOT NULL".formatted(expression) : "FALSE";
        }
        if (column.descending()) {
            return "IFNULL(%s > %s, FALSE)".formatted(expression, column.literal(value));
        }
        return "IFNULL(%s < %s, TRUE)".formatted(expression, column.literal(value));
    }
}
