package io.mysqlpq.trino.server;

import com.google.inject.Inject;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Reads how large a table is, as InnoDB's statistics have it. */
public final class TableSizeReader
{
    private static final String SQL = """
            SELECT table_rows, data_length, @@innodb_buffer_pool_size
            FROM information_schema.tables
            WHERE table_schema = ? AND table_name = ?""";

    private final RemoteQueryModifier queryModifier;

    @Inject
    public TableSizeReader(RemoteQueryModifier queryModifier)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Reads the size. Empty if there is no such table. */
    public Optional<TableSize> read(ConnectorSession session, Connection connection, String schema, String table)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, SQL))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(new TableSize(rows.getLong(1), rows.getLong(2), rows.getLong(3))) : Optional.empty();
            }
        }
    }
}
