package io.mysqlpq.trino.server;

import com.google.inject.Inject;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/**
 * Says whether MySQL finds single rows of a table in memory.
 *
 * <p>A row that an index leads to is a descent of the tree of rows. In memory that is little beside sending the row; from
 * disk, a page for each row, it is many times what reading the rows in their order costs.
 */
public final class RowLookups
{
    // A table that fills the pool would push out what others read.
    private static final String SQL = """
            SELECT data_length <= @@innodb_buffer_pool_size DIV 4
            FROM information_schema.tables
            WHERE table_schema = ? AND table_name = ?""";

    private final RemoteQueryModifier queryModifier;

    @Inject
    public RowLookups(RemoteQueryModifier queryModifier)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    public boolean areInMemory(ConnectorSession session, Connection connection, String schema, String table)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, SQL))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }
}
