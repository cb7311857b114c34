package io.mysqlpq.trino.server;

import io.trino.plugin.jdbc.RemoteTableName;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Remembers the keys of tables that are locked, so that nothing can alter them meanwhile. */
public final class TableKeys
{
    private final Map<RemoteTableName, TableKey> keys = new ConcurrentHashMap<>();

    /**
     * Asks the reader once for each table. Blocks while another thread asks for the same one.
     *
     * @param table locked, and to remain so
     */
    public TableKey get(RemoteTableName table, Function<RemoteTableName, TableKey> reader)
    {
        return keys.computeIfAbsent(table, reader);
    }
}
