package io.mysqlpq.trino.write;

import io.airlift.log.Logger;
import io.trino.plugin.jdbc.ForwardingConnection;

import java.sql.Connection;
import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/** Commits what was written to a table only if the table is still what the query was planned on. Otherwise the writer rolls it back. */
final class CheckedCommits
        extends ForwardingConnection
{
    private static final Logger log = Logger.get(CheckedCommits.class);

    private final Connection connection;
    private final Check check;
    private boolean committed;

    CheckedCommits(Connection connection, Check check)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.check = requireNonNull(check, "check is null");
    }

    /** Looks at something in the transaction of a connection. */
    interface Check
    {
        void check(Connection connection)
                throws SQLException;
    }

    @Override
    protected Connection delegate()
    {
        return connection;
    }

    @Override
    public void commit()
            throws SQLException
    {
        check.check(connection);
        super.commit();
        committed = true;
    }

    /** A connection that is lost after the last commit has no rows to lose. Who was told of a failure would write them again. */
    @Override
    public void close()
            throws SQLException
    {
        try {
            super.close();
        }
        catch (SQLException e) {
            if (!committed) {
                throw e;
            }
            log.debug(e, "Could not close a connection whose rows are committed");
        }
    }

    static void rollBack(Connection connection, Exception cause)
    {
        try {
            connection.rollback();
        }
        catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
