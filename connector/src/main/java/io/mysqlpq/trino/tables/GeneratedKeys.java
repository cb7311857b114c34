package io.mysqlpq.trino.tables;

import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.error.ErrorHints;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.Objects.requireNonNull;

/**
 * Knows which tables have a primary key that MySQL generated ({@code sql_generate_invisible_primary_key}).
 *
 * <p>The key's column is the only invisible column of its name: MySQL lets nobody define another one while it generates keys. Trino's users
 * do not see it either, but may name it, as in MySQL.
 */
public final class GeneratedKeys
{
    private static final String COLUMN = "my_row_id";
    private static final String SQL = """
            SELECT table_schema, table_name
            FROM information_schema.columns
            WHERE column_name = 'my_row_id' AND column_key = 'PRI' AND extra LIKE '%INVISIBLE%' AND table_schema LIKE ? AND table_name LIKE ?""";

    private final ConnectionFactory connections;
    private final RemoteQueryModifier queryModifier;

    public GeneratedKeys(ConnectionFactory connections, RemoteQueryModifier queryModifier)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    public static boolean isNamedSo(String column)
    {
        return column.equals(COLUMN);
    }

    /** Leaves out the generated key's column. MySQL is asked only if there is a column of that name. */
    public List<JdbcColumnHandle> withoutThem(ConnectorSession session, RemoteTableName table, List<JdbcColumnHandle> columns)
    {
        return columns.stream().anyMatch(column -> isNamedSo(column.getColumnName())) && isOf(session, table)
                ? columns.stream().filter(column -> !isNamedSo(column.getColumnName())).collect(toImmutableList())
                : columns;
    }

    public boolean isOf(ConnectorSession session, RemoteTableName table)
    {
        return !read(session, escaped(table.getCatalogName().orElseThrow()), escaped(table.getTableName())).isEmpty();
    }

    /** All tables that have one, under their names in Trino. */
    public Set<SchemaTableName> tables(ConnectorSession session)
    {
        return read(session, "%", "%");
    }

    private Set<SchemaTableName> read(ConnectorSession session, String schemaPattern, String tablePattern)
    {
        try (Connection connection = connections.openConnection(session);
                PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, SQL))) {
            statement.setString(1, schemaPattern);
            statement.setString(2, tablePattern);
            ImmutableSet.Builder<SchemaTableName> tables = ImmutableSet.builder();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    tables.add(new SchemaTableName(rows.getString(1), rows.getString(2)));
                }
            }
            return tables.build();
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read which primary keys MySQL generated: " + ErrorHints.explain(e, "reply-timeout"), e);
        }
    }

    private static String escaped(String name)
    {
        return name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }
}
