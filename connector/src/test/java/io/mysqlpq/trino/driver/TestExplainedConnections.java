package io.mysqlpq.trino.driver;

import io.mysqlpq.testing.FreePort;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

import java.sql.DriverManager;
import java.sql.SQLException;

import static io.trino.testing.TestingConnectorSession.SESSION;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests what the driver's failures to connect are said to be, and what to do about them. */
class TestExplainedConnections
{
    // Names below "invalid" are resolved nowhere (RFC 6761).
    @Test
    void testUnknownHost()
            throws SQLException
    {
        assertConnecting("jdbc:mysql://mysql.invalid:3306")
                .hasMessageContaining("mysql.invalid")
                .hasMessageContaining("Correct it in connection-url");
    }

    @Test
    void testPortWithoutServer()
            throws SQLException
    {
        assertConnecting("jdbc:mysql://127.0.0.1:" + FreePort.find())
                .hasMessageContaining("Connection refused")
                .hasMessageContaining("Run the query again when MySQL can be reached");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertConnecting(String url)
            throws SQLException
    {
        try (ExplainedConnections connections = new ExplainedConnections(_ -> DriverManager.getConnection(url, "reader", "secret"))) {
            return assertThatThrownBy(() -> connections.openConnection(SESSION)).isInstanceOf(SQLException.class);
        }
    }
}
