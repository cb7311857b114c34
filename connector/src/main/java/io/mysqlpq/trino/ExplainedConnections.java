package io.mysqlpq.trino;

import io.mysqlpq.trino.error.MysqlError;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;

import static com.google.common.base.Throwables.getRootCause;
import static java.util.Objects.requireNonNull;

/** Says why MySQL could not be reached, and what to do: after several attempts the driver's own message only counts them. */
final class ExplainedConnections
        implements ConnectionFactory
{
    private final ConnectionFactory connections;

    ExplainedConnections(ConnectionFactory connections)
    {
        this.connections = requireNonNull(connections, "connections is null");
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        try {
            return connections.openConnection(session);
        }
        catch (SQLException e) {
            String message = reason(e) + wayOut(e);
            throw message.equals(e.getMessage()) ? e : new SQLException(message, e.getSQLState(), e.getErrorCode(), e);
        }
    }

    private static String reason(SQLException failure)
    {
        String reason = getRootCause(failure).getMessage();
        return reason == null || failure.getMessage().contains(reason) ? failure.getMessage() : "%s %s".formatted(failure.getMessage(), reason);
    }

    private static String wayOut(SQLException failure)
    {
        return MysqlError.isSilence(failure) || getRootCause(failure) instanceof ConnectException ? ". Run the query again when MySQL can be reached, or raise mysql.connection-timeout" : "";
    }

    @Override
    public void close()
            throws SQLException
    {
        connections.close();
    }
}
