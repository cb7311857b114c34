package io.mysqlpq.trino.throttle;

import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import static io.airlift.units.Duration.nanosSince;
import static io.trino.spi.StandardErrorCode.CONFIGURATION_INVALID;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;

/** Asks a server which transactions it has committed, by their global transaction ids (GTIDs). */
public final class AppliedTransactions
{
    // The connection is one of a few for planning. It is given back between two waits.
    private static final double STEP_SECONDS = 0.2;

    private final ConnectionPools connections;
    private final RemoteQueryModifier queryModifier;

    @Inject
    AppliedTransactions(ConnectionPools connections, RemoteQueryModifier queryModifier)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /**
     * Returns the ids of all transactions that the server has committed: all that a client was told of, since MySQL records an id before it answers a
     * COMMIT. Fails if the server gives its transactions no ids.
     */
    public String committed(ConnectorSession session)
            throws SQLException
    {
        try (PooledConnection connection = connections.openBriefly(session);
                Statement statement = connection.connection().createStatement();
                ResultSet row = statement.executeQuery(queryModifier.apply(session, "SELECT @@GLOBAL.gtid_executed, @@GLOBAL.gtid_mode"))) {
            row.next();
            if (!row.getString(2).equals("ON")) {
                throw new TrinoException(CONFIGURATION_INVALID, "read_after_write needs gtid_mode ON on the primary, which has %s. Set it, or set read_after_write to false".formatted(row.getString(2)));
            }
            return row.getString(1);
        }
    }

    /**
     * Waits until the server has committed the transactions too. Returns false if it has not by the time.
     *
     * @param checkWanted throws if nobody wants to know any more
     */
    public boolean awaitCommitted(ConnectorSession session, String transactions, Duration limit, Runnable checkWanted)
            throws SQLException
    {
        long start = nanoTime();
        while (!isCommitted(session, transactions)) {
            checkWanted.run();
            if (nanosSince(start).compareTo(limit) >= 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isCommitted(ConnectorSession session, String transactions)
            throws SQLException
    {
        try (PooledConnection connection = connections.openBriefly(session);
                PreparedStatement statement = connection.connection().prepareStatement(queryModifier.apply(session, "SELECT WAIT_FOR_EXECUTED_GTID_SET(?, ?)"))) {
            statement.setString(1, transactions);
            statement.setDouble(2, STEP_SECONDS);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1) == 0;
            }
        }
    }
}
