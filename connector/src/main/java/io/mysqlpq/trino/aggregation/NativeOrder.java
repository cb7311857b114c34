package io.mysqlpq.trino.aggregation;

/**
 * Orders values of one type as blocks hold them.
 *
 * <p>That is Trino's order for all types that are pushed down: REAL, whose values are the bits of a float, is not.
 */
final class NativeOrder
{
    private NativeOrder()
    {}

    @SuppressWarnings("unchecked")
    static int compare(Object left, Object right)
    {
        return ((Comparable<Object>) left).compareTo(right);
    }
}
