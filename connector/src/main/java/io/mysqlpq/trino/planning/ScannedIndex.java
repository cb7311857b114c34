package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.keyfilter.KeyFilter;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.mysqlpq.trino.server.TableIndex;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Names the index that a scan is cut by.
 *
 * @param part where in the index the rows lie that pass the scan's filter
 * @param offPage columns that are read whose values InnoDB may keep off-page
 * @param rows what the extension has to read of the index, if nobody else can
 */
record ScannedIndex(String schema, String table, TableIndex index, KeyRange part, List<String> offPage, Optional<ScannedRows> rows)
{
    // Shorter values weigh little, wherever InnoDB keeps them.
    private static final int MOST_CHARACTERS_OF_LIGHT_VALUE = 255;

    ScannedIndex
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(index, "index is null");
        requireNonNull(part, "part is null");
        offPage = ImmutableList.copyOf(offPage);
        requireNonNull(rows, "rows is null");
    }

    static ScannedIndex of(JdbcTableHandle table, TableIndex index)
    {
        return of(table, index, Optional.empty());
    }

    static ScannedIndex ofRowIds(JdbcTableHandle table, ScannedRows rows)
    {
        return of(table, TableIndex.ofRowIds(), Optional.of(rows));
    }

    private static ScannedIndex of(JdbcTableHandle table, TableIndex index, Optional<ScannedRows> rows)
    {
        RemoteTableName name = table.getRequiredNamedRelation().getRemoteTableName();
        return new ScannedIndex(name.getCatalogName().orElseThrow(), name.getTableName(), index, filter(table, index).range(), index.clustered() ? offPage(table) : ImmutableList.of(), rows);
    }

    // Unknown where Trino has asked for no projection.
    private static List<String> offPage(JdbcTableHandle table)
    {
        return table.getColumns().stream()
                .flatMap(List::stream)
                .filter(column -> column.getJdbcTypeHandle().columnSize().orElse(0) > MOST_CHARACTERS_OF_LIGHT_VALUE)
                .map(JdbcColumnHandle::getColumnName)
                .collect(toImmutableList());
    }

    /** Whether the scan's filter can match one key of the index only. */
    static boolean isPointLookup(JdbcTableHandle table, TableIndex index)
    {
        return filter(table, index).isPointLookup();
    }

    private static KeyFilter filter(JdbcTableHandle table, TableIndex index)
    {
        return new KeyFilter(index.columns().stream().map(column -> new KeyFilter.Column(column.name(), column.descending())).collect(toImmutableList()), table.getConstraint());
    }
}
