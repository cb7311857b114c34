package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Collects the tables of a query, and the columns that its SQL names, while Trino plans it.
 *
 * <p>A join or an aggregation that MySQL executes is SQL only. Its handle does not tell what the SQL names.
 */
public final class QueriedTables
{
    private final Map<SchemaTableName, RemoteTableName> remoteNames = new ConcurrentHashMap<>();
    private final Map<SchemaTableName, Set<JdbcColumnHandle>> columns = new ConcurrentHashMap<>();

    public void add(SchemaTableName table, RemoteTableName remoteName)
    {
        remoteNames.put(table, remoteName);
    }

    /** Forgets the columns, because another query begins, for which tables may have other columns. */
    public void forgetColumns()
    {
        columns.clear();
    }

    /** Adds the columns that a scan names. */
    public void addColumns(ConnectorTableHandle scan)
    {
        addColumns(scan, ImmutableList.of());
    }

    /**
     * Adds the columns that a scan names.
     *
     * @param more columns that are to be named on top of it. A scan of all of a table's columns does not know them.
     */
    public void addColumns(ConnectorTableHandle scan, Collection<ColumnHandle> more)
    {
        if (!(scan instanceof JdbcTableHandle table && table.isNamedRelation())) {
            return;
        }
        Set<JdbcColumnHandle> named = columns.computeIfAbsent(table.getRequiredNamedRelation().getSchemaTableName(), _ -> ConcurrentHashMap.newKeySet());
        named.addAll(SplitTable.named(table));
        more.stream().map(JdbcColumnHandle.class::cast).filter(NamedColumns::isOfMysql).forEach(named::add);
    }

    /** @return null if no scan of the table was planned */
    public RemoteTableName remoteName(SchemaTableName table)
    {
        return remoteNames.get(table);
    }

    /** Returns the table as a query over it reads it, if MySQL executes that query. */
    public SplitTable readByQuery(SchemaTableName table)
    {
        return new SplitTable(remoteNames.get(table), ImmutableList.copyOf(columns.getOrDefault(table, ImmutableSet.of())));
    }
}
