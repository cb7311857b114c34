package io.mysqlpq.trino.statistics;

import static java.util.Objects.requireNonNull;

/**
 * One column of an index.
 *
 * @param alone the column is the index's first, and whole
 * @param cardinality estimated number of distinct values, NULL among them, of the index's columns up to this one
 */
record IndexColumn(String name, boolean alone, long cardinality)
{
    IndexColumn
    {
        requireNonNull(name, "name is null");
    }
}
