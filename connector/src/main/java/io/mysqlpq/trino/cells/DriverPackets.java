package io.mysqlpq.trino.cells;

import com.mysql.cj.conf.PropertyKey;
import com.mysql.cj.jdbc.JdbcConnection;

import java.sql.Connection;
import java.sql.SQLException;

/** Tells from the driver's settings whether packets can be read past it. */
public final class DriverPackets
{
    private DriverPackets()
    {}

    public static boolean areReadable(Connection connection)
            throws SQLException
    {
        JdbcConnection driver = connection.unwrap(JdbcConnection.class);
        return !isSet(driver, PropertyKey.useServerPrepStmts) && !isDriverAskedForMore(driver);
    }

    /** Whether the driver is to pad rows, or to count their packets. */
    public static boolean isDriverAskedForMore(JdbcConnection connection)
    {
        return isSet(connection, PropertyKey.padCharsWithSpace) || isSet(connection, PropertyKey.enablePacketDebug);
    }

    private static boolean isSet(JdbcConnection connection, PropertyKey property)
    {
        return connection.getPropertySet().getBooleanProperty(property).getValue();
    }
}
