package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static java.util.Objects.requireNonNull;

/** Tells what MySQL's dictionary says about a table's primary key. */
public record TableKey(Shape shape, List<Column> primaryKey)
{
    /** Whether, and why not, a table can be cut into ranges of its primary key. */
    public enum Shape
    {
        INNODB_TABLE,
        PARTITIONED_TABLE,
        OTHER_ENGINE,
        VIEW,
        /** Dropped, or hidden from this user. */
        UNKNOWN;

        boolean isInnodb()
        {
            return this == INNODB_TABLE || this == PARTITIONED_TABLE;
        }
    }

    /** One column of the key, in the key's order. */
    public record Column(String name, boolean descending)
    {
        public Column
        {
            requireNonNull(name, "name is null");
        }
    }

    public TableKey
    {
        requireNonNull(shape, "shape is null");
        primaryKey = ImmutableList.copyOf(primaryKey);
    }

    /** Whether reads of the table can share a snapshot. */
    public boolean hasSnapshots()
    {
        return shape.isInnodb();
    }
}
