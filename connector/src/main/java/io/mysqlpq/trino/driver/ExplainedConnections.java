package io.mysqlpq.trino.driver;

import io.mysqlpq.trino.error.MysqlError;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;

import static com.google.common.base.Throwables.getCausalChain;
import static com.google.common.base.Throwables.getRootCause;
import static java.util.Objects.requireNonNull;

/** Explains why MySQL could not be reached, and what to do. After several attempts the driver's own message only counts them. */
public final class ExplainedConnections
        implements ConnectionFactory
{
    private final ConnectionFactory connections;

    public ExplainedConnections(ConnectionFactory connections)
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
            String message = MysqlError.tlsRefusal(e).orElseGet(() -> reason(e) + hint(e));
            throw message.equals(e.getMessage()) ? e : new SQLException(message, e.getSQLState(), e.getErrorCode(), e);
        }
    }

    private static String reason(SQLException failure)
    {
        String reason = getRootCause(failure).getMessage();
        return reason == null || failure.getMessage().contains(reason) ? failure.getMessage() : "%s %s".formatted(failure.getMessage(), reason);
    }

    private static String hint(SQLException failure)
    {
        if (isCausedBy(failure, UnknownHostException.class)) {
            return ". This host name cannot be resolved. Correct it in connection-url, or let all nodes of Trino resolve it";
        }
        if (MysqlError.isLoginRefused(failure)) {
            return ". Correct connection-user or connection-password, or the password, host or lock of the account in MySQL";
        }
        if (MysqlError.isServerFull(failure)) {
            return ". Run the query again when others have closed connections, or raise max_connections in MySQL, or the account's MAX_USER_CONNECTIONS";
        }
        boolean isUnreachable = MysqlError.isSilence(failure) || isCausedBy(failure, ConnectException.class) || isCausedBy(failure, NoRouteToHostException.class);
        return isUnreachable ? ". Run the query again when MySQL can be reached, or raise mysql.connection-timeout" : "";
    }

    private static boolean isCausedBy(SQLException failure, Class<? extends IOException> cause)
    {
        return getCausalChain(failure).stream().anyMatch(cause::isInstance);
    }

    @Override
    public void close()
            throws SQLException
    {
        connections.close();
    }
}
