package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;

import static java.util.Objects.requireNonNull;

/**
 * Holds a part of an index, of which ranges are made, with an estimate of its rows.
 *
 * @param first the least key in the part, or a key before that
 * @param end the key at which the part ends; the greatest key of all for the last part
 * @param whole whether a search found no key at which to cut the part
 */
record WeighedPart(KeyRange range, KeyBound first, KeyBound end, double rows, boolean whole)
{
    WeighedPart
    {
        requireNonNull(range, "range is null");
        requireNonNull(first, "first is null");
        requireNonNull(end, "end is null");
    }

    WeighedPart withRows(double estimate)
    {
        return new WeighedPart(range, first, end, estimate, whole);
    }

    WeighedPart asWhole()
    {
        return new WeighedPart(range, first, end, rows, true);
    }
}
