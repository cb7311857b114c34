package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.server.TableKey.Shape;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import static java.util.Objects.requireNonNull;

/** Reads a table's kind and primary key from MySQL's dictionary, in one statement, which touches no data. */
public final class TableKeyReader
{
    private static final String SQL = """
            SELECT t.table_type, t.engine, t.create_options, s.column_name, s.collation
            FROM information_schema.tables t
            LEFT JOIN information_schema.statistics s
            ON s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_name = 'PRIMARY'
            WHERE t.table_schema = ? AND t.table_name = ?
            ORDER BY s.seq_in_index""";

    private static final String SHOW_GENERATED_KEYS = "show_gipk_in_create_table_and_information_schema";

    private final RemoteQueryModifier queryModifier;

    @Inject
    public TableKeyReader(RemoteQueryModifier queryModifier)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    public TableKey read(ConnectorSession session, Connection connection, String schema, String table)
            throws SQLException
    {
        TableKey key = readVisible(session, connection, schema, table);
        return key.primaryKey().isEmpty() && key.shape().isInnodb() && showGeneratedKeys(session, connection)
                ? readVisible(session, connection, schema, table)
                : key;
    }

    private TableKey readVisible(ConnectorSession session, Connection connection, String schema, String table)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, SQL))) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                return decode(rows);
            }
        }
    }

    // A primary key that MySQL generated may be hidden from the dictionary's tables, though not from queries. The setting
    // may stay: nothing else in a session that plans and reads depends on it.
    private boolean showGeneratedKeys(ConnectorSession session, Connection connection)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet variable = statement.executeQuery(queryModifier.apply(session, "SHOW SESSION VARIABLES LIKE '%s'".formatted(SHOW_GENERATED_KEYS)))) {
                if (!variable.next() || !variable.getString(2).equals("OFF")) {
                    return false;
                }
            }
            statement.execute(queryModifier.apply(session, "SET SESSION %s = ON".formatted(SHOW_GENERATED_KEYS)));
            return true;
        }
    }

    private static TableKey decode(ResultSet rows)
            throws SQLException
    {
        Shape shape = Shape.UNKNOWN;
        ImmutableList.Builder<TableKey.Column> columns = ImmutableList.builder();
        while (rows.next()) {
            shape = shape(rows.getString(1), rows.getString(2), rows.getString(3));
            String column = rows.getString(4);
            if (column != null) {
                columns.add(new TableKey.Column(column, "D".equals(rows.getString(5))));
            }
        }
        return new TableKey(shape, columns.build());
    }

    private static Shape shape(String tableType, String engine, String createOptions)
    {
        if (!"BASE TABLE".equals(tableType)) {
            return Shape.VIEW;
        }
        if (!"InnoDB".equals(engine)) {
            return Shape.OTHER_ENGINE;
        }
        return createOptions != null && createOptions.contains("partitioned") ? Shape.PARTITIONED_TABLE : Shape.INNODB_TABLE;
    }
}
