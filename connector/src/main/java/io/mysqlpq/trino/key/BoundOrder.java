package io.mysqlpq.trino.key;

import java.math.BigInteger;
import java.util.List;

/**
 * Tells whether a bound can come before another in index order, as far as that shows without MySQL.
 *
 * <p>Only MySQL compares strings, so the answer is no only where the bounds differ first in an integer or NULL.
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

    // NULL is the first value of an ascending column and the last of a descending one.
    private static boolean mayPrecede(KeyColumn column, KeyValue left, KeyValue right)
    {
        if (left instanceof NullKeyValue || right instanceof NullKeyValue) {
            return left instanceof NullKeyValue != column.descending();
        }
        if (left instanceof IntegerKeyValue(String leftDigits) && right instanceof IntegerKeyValue(String rightDigits)) {
            return new BigInteger(leftDigits).compareTo(new BigInteger(rightDigits)) < 0 != column.descending();
        }
        return true;
    }
}
