package io.mysqlpq.trino.server;

import io.trino.plugin.jdbc.RemoteTableName;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static java.util.Objects.requireNonNull;

/** Remembers the keys of locked tables. Nothing can alter them meanwhile. */
public final class TableKeys
{
    private final Set<RemoteTableName> locked;
    private final Map<RemoteTableName, TableKey> keys = new ConcurrentHashMap<>();

    /** @param locked the tables, of which more may come */
    public TableKeys(Set<RemoteTableName> locked)
    {
        this.locked = requireNonNull(locked, "locked is null");
    }

    /**
     * Asks for the keys of all tables at once, unless they were asked for since the table was locked. Threads that ask at the same time all
     * ask MySQL, and wait for nobody.
     *
     * @param table one of the locked tables
     */
    public TableKey get(RemoteTableName table, Reader reader)
            throws SQLException
    {
        TableKey known = keys.get(table);
        if (known != null) {
            return known;
        }
        List<RemoteTableName> unknown = locked.stream().filter(name -> !keys.containsKey(name)).toList();
        // Another scan may just have asked.
        if (!unknown.isEmpty()) {
            keys.putAll(reader.read(unknown));
        }
        return requireNonNull(keys.get(table), "Table is not locked");
    }

    /** Asks MySQL. */
    @FunctionalInterface
    public interface Reader
    {
        /** @return a key for each of the tables */
        Map<RemoteTableName, TableKey> read(List<RemoteTableName> tables)
                throws SQLException;
    }
}
