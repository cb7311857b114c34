package io.mysqlpq.trino.planning;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;

/** Says which columns a scan reads. */
final class ReadColumns
{
    private ReadColumns()
    {}

    /**
     * Returns the columns. A row's id is its primary key, which each index holds.
     *
     * @throws IllegalStateException if the handle does not name its columns, as where Trino has asked for no projection
     */
    static List<JdbcColumnHandle> of(JdbcTableHandle table)
    {
        return table.getColumns()
                .orElseThrow(() -> new IllegalStateException("Columns that are read of %s are not known".formatted(table)))
                .stream()
                .filter(column -> !column.getColumnName().equals(MERGE_ROW_ID))
                .collect(toImmutableList());
    }
}
