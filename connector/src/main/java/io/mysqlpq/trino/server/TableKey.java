package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Tells what MySQL's dictionary says about a table and the indexes that it can be cut by.
 *
 * @param indexes without those that are invisible, hold expressions or have no order
 */
public record TableKey(Shape shape, List<TableIndex> indexes)
{
    /** Whether, and why not, a table can be cut into ranges of an index. */
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

    public TableKey
    {
        requireNonNull(shape, "shape is null");
        indexes = ImmutableList.copyOf(indexes);
    }

    /** The index that holds the rows; empty if InnoDB keeps them in an order of its own. */
    public Optional<TableIndex> clustered()
    {
        return indexes.stream().filter(TableIndex::clustered).findFirst();
    }

    public List<TableIndex> secondary()
    {
        return indexes.stream().filter(index -> !index.clustered()).collect(toImmutableList());
    }

    public Optional<TableIndex> index(String name)
    {
        return indexes.stream().filter(index -> index.name().equals(name)).findFirst();
    }

    /** Whether reads of the table can share a snapshot. */
    public boolean hasSnapshots()
    {
        return shape.isInnodb();
    }
}
