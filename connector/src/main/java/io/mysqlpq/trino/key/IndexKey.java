package io.mysqlpq.trino.key;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Describes an index by its full physical key: its own columns, and for a secondary index the primary key's
 * columns that it does not already hold.
 *
 * @param whole whether these are all of its columns, rather than the leading ones by which ranges are cut
 */
public record IndexKey(String index, boolean clustered, List<KeyColumn> columns, boolean whole)
{
    /** MySQL's name of every primary key. */
    public static final String PRIMARY = "PRIMARY";

    /** InnoDB's name of the index that holds rows by ids of its own, in a table without a key that can hold them. SQL knows neither the index nor the ids. */
    public static final String ROW_IDS = "GEN_CLUST_INDEX";

    public IndexKey(String index, boolean clustered, List<KeyColumn> columns)
    {
        this(index, clustered, columns, true);
    }

    public IndexKey
    {
        requireNonNull(index, "index is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "columns is empty");
    }

    public boolean isOfRowIds()
    {
        return index.equals(ROW_IDS);
    }

    /** Returns how many leading columns a range's bounds may have, if MySQL is to read no more than the range. */
    public int columnsReadByRange()
    {
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).readByRange()) {
                return i;
            }
            // Behind a prefix the index orders rows by the prefix, and SQL orders them by the whole value.
            if (columns.get(i).prefixLength().isPresent()) {
                return i + 1;
            }
        }
        return columns.size();
    }
}
