package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.server.TableIndex;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;

import static java.util.Objects.requireNonNull;

/**
 * Names the index that a scan is cut by.
 *
 * @param part where in the index the rows lie that the scan's filter leaves
 */
record ScannedIndex(String schema, String table, TableIndex index, KeyRange part)
{
    ScannedIndex
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(index, "index is null");
        requireNonNull(part, "part is null");
    }

    static ScannedIndex of(JdbcTableHandle table, TableIndex index)
    {
        RemoteTableName name = table.getRequiredNamedRelation().getRemoteTableName();
        return new ScannedIndex(name.getCatalogName().orElseThrow(), name.getTableName(), index, new KeyFilter(index.columns(), table.getConstraint()).range());
    }
}
