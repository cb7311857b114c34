package io.mysqlpq.trino.tables;

import com.google.common.hash.HashCode;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Pattern;

import static com.google.common.hash.Hashing.sha256;
import static io.mysqlpq.trino.server.QuotedNames.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Reads the statement that would create a table, as MySQL shows it, and the rights of the account, and returns a hash of both.
 *
 * <p>The statement tells all that the dictionary says of the table's columns. The rights tell which columns the account may see.
 */
public final class TableDefinitions
{
    private static final Logger log = Logger.get(TableDefinitions.class);
    private static final String TABLE = "Create Table";
    private static final String INVISIBLE = "INVISIBLE";
    // Rows change it.
    private static final Pattern NEXT_KEY = Pattern.compile("(?m)^(\\) ENGINE=\\w+) AUTO_INCREMENT=\\d+");

    private final ConnectionPools connections;
    private final RemoteQueryModifier queryModifier;

    @Inject
    public TableDefinitions(ConnectionPools connections, RemoteQueryModifier queryModifier)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** Names the account of a session: which tables there are depends on it. */
    Optional<String> account(ConnectorSession session)
    {
        return connections.accountName(session);
    }

    /** Reads the hash as {@link #read} does. Empty also if the account may not read all columns. */
    Optional<HashCode> readIfAllowed(ConnectorSession session, JdbcTableHandle table)
    {
        return read(session, table, true);
    }

    /** Reads the hash. Empty if there is no such table, if it is a view or locked, or if a column is invisible. */
    Optional<HashCode> read(ConnectorSession session, JdbcTableHandle table)
    {
        return read(session, table, false);
    }

    private Optional<HashCode> read(ConnectorSession session, JdbcTableHandle table, boolean columns)
    {
        RemoteTableName name = table.getRequiredNamedRelation().getRemoteTableName();
        String quoted = quoted(name);
        try (PooledConnection connection = connections.openBriefly(session);
                Statement statement = connection.connection().createStatement()) {
            Optional<String> definition = show(statement, queryModifier.apply(session, "SHOW CREATE TABLE " + quoted));
            if (definition.isEmpty()) {
                return Optional.empty();
            }
            if (columns) {
                statement.execute(queryModifier.apply(session, "SELECT * FROM %s LIMIT 0".formatted(quoted)));
            }
            // An account may have thousands of rights.
            return Optional.of(sha256().hashString(definition.get() + grants(statement, queryModifier.apply(session, "SHOW GRANTS")), UTF_8));
        }
        catch (SQLException | TrinoException e) {
            log.debug(e, "No definition of table %s", name);
            return Optional.empty();
        }
    }

    // A session keeps some rights that its account has lost, but shows them no more.
    private static String grants(Statement statement, String sql)
            throws SQLException
    {
        StringBuilder grants = new StringBuilder();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                grants.append('\n').append(rows.getString(1));
            }
        }
        return grants.toString();
    }

    private static Optional<String> show(Statement statement, String sql)
            throws SQLException
    {
        try (ResultSet row = statement.executeQuery(sql)) {
            if (!row.next() || !row.getMetaData().getColumnLabel(2).equals(TABLE) || row.getString(2).contains(INVISIBLE)) {
                return Optional.empty();
            }
            return Optional.of(NEXT_KEY.matcher(row.getString(2)).replaceFirst("$1"));
        }
    }
}
