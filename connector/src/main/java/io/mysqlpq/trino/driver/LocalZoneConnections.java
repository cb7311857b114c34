package io.mysqlpq.trino.driver;

import io.airlift.log.Logger;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneId;
import java.time.ZoneOffset;

import static java.util.Objects.requireNonNull;

/**
 * Opens sessions in the time zone of this JVM, as Trino's MySQL connector does: users see it in NOW(), in defaults of
 * columns and in triggers.
 *
 * <p>Where MySQL does not know that zone, sessions run in UTC.
 */
public final class LocalZoneConnections
        implements ConnectionFactory
{
    private static final Logger log = Logger.get(LocalZoneConnections.class);
    // NULL for a zone without tables.
    private static final String ZONE_IS_KNOWN = "SELECT CONVERT_TZ('2020-01-01 00:00:00', '+00:00', ?) IS NOT NULL";

    private final ConnectionFactory local;
    private final ConnectionFactory utc;
    private final String zone = ZoneId.systemDefault().getId();
    private volatile ConnectionFactory chosen;

    public LocalZoneConnections(ConnectionFactory local, ConnectionFactory utc)
    {
        this.local = requireNonNull(local, "local is null");
        this.utc = requireNonNull(utc, "utc is null");
        // The driver says an offset as such.
        this.chosen = ZoneId.systemDefault().normalized() instanceof ZoneOffset ? local : null;
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        if (chosen == null) {
            chosen = isZoneKnown(session) ? local : utc;
        }
        return chosen.openConnection(session);
    }

    private boolean isZoneKnown(ConnectorSession session)
            throws SQLException
    {
        try (Connection connection = utc.openConnection(session);
                PreparedStatement statement = connection.prepareStatement(ZONE_IS_KNOWN)) {
            statement.setString(1, zone);
            try (ResultSet known = statement.executeQuery()) {
                known.next();
                if (known.getBoolean(1)) {
                    return true;
                }
                log.warn("MySQL does not know %s, the time zone of Trino's JVM. SQL of users and writes run in UTC. Load MySQL's time-zone tables (mysql_tzinfo_to_sql), then restart Trino", zone);
                return false;
            }
        }
    }

    @Override
    public void close()
            throws SQLException
    {
        local.close();
        utc.close();
    }
}
