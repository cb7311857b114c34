package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static io.mysqlpq.trino.key.IndexKey.ROW_IDS;
import static java.util.Objects.requireNonNull;

/**
 * Tells what MySQL's dictionary says about an index that a statement can be forced to use.
 *
 * @param clustered whether it holds the table's rows: the primary key, else a unique one that MySQL takes instead
 * @param columns its own, in the index's order
 */
public record TableIndex(String name, boolean unique, boolean clustered, List<Column> columns)
{
    /**
     * One column of an index.
     *
     * @param prefix whether the index holds only the beginning of its values
     */
    public record Column(String name, boolean descending, boolean nullable, boolean prefix)
    {
        public Column
        {
            requireNonNull(name, "name is null");
        }

        public Column(String name, boolean descending)
        {
            this(name, descending, false, false);
        }
    }

    public TableIndex
    {
        requireNonNull(name, "name is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "columns is empty");
    }

    public static TableIndex primary(List<Column> columns)
    {
        return new TableIndex(PRIMARY, true, true, columns);
    }

    /** Makes the index that stands for the ids which InnoDB gives rows, in a table without a key that could hold them. No statement can be forced to use it. */
    public static TableIndex ofRowIds()
    {
        return new TableIndex(ROW_IDS, true, true, ImmutableList.of(new Column("DB_ROW_ID", false)));
    }

    public boolean isOfRowIds()
    {
        return name.equals(ROW_IDS);
    }

    /** Whether it holds the rows in the order of all of the primary key's values. */
    public boolean isWholePrimaryKey()
    {
        return clustered && name.equals(PRIMARY) && columns.stream().noneMatch(Column::prefix);
    }

    /** The columns whose whole values it holds. */
    public Set<String> wholeColumns()
    {
        return columns.stream().filter(column -> !column.prefix()).map(Column::name).collect(toImmutableSet());
    }

    public boolean isNullable()
    {
        return columns.stream().anyMatch(Column::nullable);
    }
}
