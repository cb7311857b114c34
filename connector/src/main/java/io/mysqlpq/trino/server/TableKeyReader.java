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

    private final RemoteQueryModifier queryModifier;

    @Inject
    public TableKeyReader(RemoteQueryModifier queryModifier)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    public TableKey read(ConnectorSession session, Connection connection, String schema, String table)
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
