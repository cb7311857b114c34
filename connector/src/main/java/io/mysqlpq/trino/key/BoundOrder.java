package io.mysqlpq.trino.key;

import java.util.List;
import java.util.OptionalInt;

/**
 * Tells whether a bound can come before another one in index order, as far as that is known without MySQL.
 *
 * <p>Only MySQL compares strings. The answer is therefore no only if the first difference of the bounds is in something else, or in NULL.
 */
public final class BoundOrder
{
    private BoundOrder()
    {}

    public static boolean mayPrecede(List<KeyColumn> columns, KeyBound first, KeyBound second)
    {
        for (int i = 0; i < columns.size(); i++) {
            KeyValue left = first.values().get(i);
            KeyValue right = second.values().get(i);
            if (!left.equals(right)) {
                return mayPrecede(columns.get(i), left, right);
            }
        }
        return false;
    }

    /** Whether the values of a column can be put in order without MySQL. */
    public static boolean isOrderKnown(KeyColumn column)
    {
        return column.encoding() != KeyEncoding.TEXT && column.encoding() != KeyEncoding.TIME;
    }

    /** Whether MySQL certainly puts the first value before the second one, in an index that begins with the column. */
    public static boolean precedes(KeyColumn column, KeyValue left, KeyValue right)
    {
        if (left instanceof NullKeyValue || right instanceof NullKeyValue) {
            return false;
        }
        return compare(left, right).stream().anyMatch(order -> order != 0 && order < 0 != column.descending());
    }

    // NULL is the first value of an ascending column and the last of a descending one.
    private static boolean mayPrecede(KeyColumn column, KeyValue left, KeyValue right)
    {
        if (left instanceof NullKeyValue || right instanceof NullKeyValue) {
            return left instanceof NullKeyValue != column.descending();
        }
        return compare(left, right).stream().allMatch(order -> order < 0 != column.descending());
    }

    // Dates and bytes are ordered as their digits are.
    private static OptionalInt compare(KeyValue left, KeyValue right)
    {
        return switch (left) {
            case NumericKeyValue number -> OptionalInt.of(number.number().compareTo(((NumericKeyValue) right).number()));
            case DateKeyValue(String date) -> OptionalInt.of(date.compareTo(((DateKeyValue) right).date()));
            case DatetimeKeyValue(String dateTime) -> OptionalInt.of(dateTime.compareTo(((DatetimeKeyValue) right).dateTime()));
            case BinaryKeyValue(String hex) -> OptionalInt.of(hex.compareTo(((BinaryKeyValue) right).hex()));
            case NullKeyValue _,TimeKeyValue _,TextKeyValue _ -> OptionalInt.empty();
        };
    }
}
