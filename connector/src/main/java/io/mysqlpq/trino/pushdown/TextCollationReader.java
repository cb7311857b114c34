package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.Objects.requireNonNull;

/** Asks MySQL for the collations of a table's text columns. */
public final class TextCollationReader
{
    private static final String COLLATIONS = """
            SELECT column_name, collation_name FROM information_schema.columns
            WHERE table_schema = ? AND table_name = ? AND collation_name IS NOT NULL""";

    private final ConnectionFactory connectionFactory;
    private final RemoteQueryModifier queryModifier;

    public TextCollationReader(ConnectionFactory connectionFactory, RemoteQueryModifier queryModifier)
    {
        this.connectionFactory = requireNonNull(connectionFactory, "connectionFactory is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Returns the columns. Text columns get their collations. */
    public List<JdbcColumnHandle> addTo(ConnectorSession session, RemoteTableName table, List<JdbcColumnHandle> columns)
    {
        if (columns.stream().noneMatch(TextCollation::isText)) {
            return columns;
        }
        Map<String, String> collations = read(session, table);
        return columns.stream().map(column -> withCollation(column, collations)).collect(toImmutableList());
    }

    private Map<String, String> read(ConnectorSession session, RemoteTableName table)
    {
        try (Connection connection = connectionFactory.openConnection(session);
                PreparedStatement statement = connection.prepareStatement(queryModifier.apply(session, COLLATIONS))) {
            statement.setString(1, table.getCatalogName().orElseThrow());
            statement.setString(2, table.getTableName());
            ImmutableMap.Builder<String, String> collations = ImmutableMap.builder();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    collations.put(rows.getString(1), rows.getString(2));
                }
            }
            return collations.buildOrThrow();
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read the collations of table %s: %s".formatted(table, ErrorHints.explain(e, "reply-timeout")), e);
        }
    }

    private static JdbcColumnHandle withCollation(JdbcColumnHandle column, Map<String, String> collations)
    {
        String collation = collations.get(column.getColumnName());
        return collation == null || !TextCollation.isText(column)
                ? column
                : JdbcColumnHandle.builderFrom(column).setJdbcTypeHandle(TextCollation.addTo(column.getJdbcTypeHandle(), collation)).build();
    }
}
