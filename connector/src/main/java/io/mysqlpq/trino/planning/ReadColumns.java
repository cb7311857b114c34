package io.mysqlpq.trino.planning;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;

/** Says which columns a scan reads, as far as its handle knows. */
final class ReadColumns
{
    private ReadColumns()
    {}

    /** Empty for all of them: Trino has then asked for no projection. The id of a row is its primary key, which each index holds. */
    static Optional<List<JdbcColumnHandle>> of(JdbcTableHandle table)
    {
        return table.getColumns().map(columns -> columns.stream()
                .filter(column -> !column.getColumnName().equals(MERGE_ROW_ID))
                .collect(toImmutableList()));
    }
}
