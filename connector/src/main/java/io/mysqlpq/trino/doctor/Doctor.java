package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.error.MysqlError;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/** Finds out what stands in the way of parallel reads, in a server and in the account that is logged in, and says what can be done. */
public final class Doctor
{
    private final List<Check> checks;

    /** @param maxConnectionsPerServer connections that all nodes together read through, as the catalog says */
    public Doctor(int maxConnectionsPerServer)
    {
        this.checks = ImmutableList.of(
                new ServerCheck(),
                new ExtensionCheck(),
                new SnapshotCheck(),
                new PrivilegeCheck(),
                new StateCheck(),
                new LimitCheck(maxConnectionsPerServer),
                new TimeZoneCheck(),
                new TlsCheck());
    }

    /**
     * Examines the server, and changes nothing in it. The session must not have an open transaction.
     *
     * @param queryComment marks a statement
     * @param oneSnapshot whether queries fail if their scans cannot share a snapshot
     * @throws SQLException if the connection is lost
     */
    public List<Finding> examine(Connection connection, UnaryOperator<String> queryComment, boolean oneSnapshot)
            throws SQLException
    {
        ExaminedServer server = new ExaminedServer(connection, queryComment, oneSnapshot);
        ImmutableList.Builder<Finding> findings = ImmutableList.builder();
        for (Check check : checks) {
            findings.addAll(examine(check, server));
        }
        return findings.build();
    }

    private static List<Finding> examine(Check check, ExaminedServer server)
            throws SQLException
    {
        try {
            return check.examine(server);
        }
        catch (SQLException e) {
            if (MysqlError.isConnectionLost(e)) {
                throw e;
            }
            return ImmutableList.of(Finding.warning(check.name(), "not known: " + e.getMessage(), "Resolve MySQL's error, and run doctor again"));
        }
    }
}
