package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;

import static java.util.Objects.requireNonNull;

/**
 * Holds a part of the key while it is searched for boundaries.
 *
 * @param first the least key in it, or one before that
 * @param end the key at which it ends, or the greatest of all
 * @param rows an estimate
 * @param whole whether no boundary was found in it
 */
record Cell(KeyRange range, KeyBound first, KeyBound end, double rows, boolean whole)
{
    Cell
    {
        requireNonNull(range, "range is null");
        requireNonNull(first, "first is null");
        requireNonNull(end, "end is null");
    }

    Cell withRows(double estimate)
    {
        return new Cell(range, first, end, estimate, whole);
    }

    Cell asWhole()
    {
        return new Cell(range, first, end, rows, true);
    }
}
