package io.mysqlpq.trino.key;

import java.util.List;
import java.util.Optional;

/** Narrows a range to a part that is bounded by values of the key's first column. */
public final class RangeIntersection
{
    private RangeIntersection()
    {}

    /**
     * Narrows the range. If only MySQL could compare a bound of the part, the range stays as it is on that side.
     *
     * @return a range within the first one, which may be void. It has all that is in both
     */
    public static KeyRange narrow(List<KeyColumn> columns, KeyRange range, KeyRange part)
    {
        KeyColumn first = columns.getFirst();
        Optional<KeyBound> lower = part.lower()
                .filter(bound -> range.lower().map(begin -> precedes(first, begin, bound)).orElse(true))
                .or(range::lower);
        Optional<KeyBound> upper = part.upper()
                .filter(bound -> range.upper().map(end -> precedes(first, bound, end)).orElse(true))
                .or(range::upper);
        return new KeyRange(lower, upper);
    }

    private static boolean precedes(KeyColumn column, KeyBound one, KeyBound other)
    {
        return BoundOrder.precedes(column, one.values().getFirst(), other.values().getFirst());
    }
}
