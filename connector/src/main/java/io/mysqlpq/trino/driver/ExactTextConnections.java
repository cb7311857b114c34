package io.mysqlpq.trino.driver;

import com.mysql.cj.jdbc.JdbcConnection;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.ForwardingConnection;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/**
 * Has MySQL prepare statements with parameters in sessions whose sql_mode has NO_BACKSLASH_ESCAPES.
 *
 * <p>In these sessions the driver writes some texts as their bytes in UTF-8, without saying so. MySQL then takes them for text in the character set of the
 * column: a column with another one gets other characters. With a statement that MySQL has prepared, the driver sends the text itself.
 */
final class ExactTextConnections
        implements ConnectionFactory
{
    private final ConnectionFactory connections;

    ExactTextConnections(ConnectionFactory connections)
    {
        this.connections = requireNonNull(connections, "connections is null");
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        return new ExactTextConnection(connections.openConnection(session));
    }

    @Override
    public void close()
            throws SQLException
    {
        connections.close();
    }

    private static final class ExactTextConnection
            extends ForwardingConnection
    {
        private final Connection connection;

        ExactTextConnection(Connection connection)
        {
            this.connection = requireNonNull(connection, "connection is null");
        }

        @Override
        protected Connection delegate()
        {
            return connection;
        }

        @Override
        public PreparedStatement prepareStatement(String sql)
                throws SQLException
        {
            JdbcConnection driver = connection.unwrap(JdbcConnection.class);
            return sql.contains("?") && driver.getSession().getServerSession().isNoBackslashEscapesSet() ? driver.serverPrepareStatement(sql) : super.prepareStatement(sql);
        }
    }
}
