package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.dictionary.DictionaryKey;
import io.mysqlpq.trino.dictionary.DictionaryKeyReader;
import io.mysqlpq.trino.split.SplitRange;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Makes sure, without the extension, that a range is read from a table with the key that it was planned on.
 *
 * <p>As in {@link DefinitionFence}, the definition is compared under the table's metadata lock.
 */
final class DictionaryFence
        implements ReadFence
{
    private final SplitRange read;
    private final TableAccess access;

    DictionaryFence(SplitRange read, TableAccess access)
    {
        this.read = read;
        this.access = access;
    }

    @Override
    public void enter(Connection connection)
            throws SQLException
    {
        access.begin(connection);
        RemoteTableName table = access.table();
        Optional<DictionaryKey> key = DictionaryKeyReader.read(connection, access.queryComment(), table.getCatalogName().orElseThrow(), table.getTableName(), read.key().index());
        if (key.filter(found -> found.definition().equals(read.definition())).isEmpty()) {
            throw access.changed(null);
        }
    }

    @Override
    public void prove(Connection connection)
    {}

    @Override
    public Optional<TrinoException> explain(SQLException error)
    {
        return access.explain(error);
    }
}
