package io.mysqlpq.trino.scan;

import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Makes sure that one statement reads the tables whose columns were compared before it. The comparison locks the tables until the transaction ends. */
final class StatementFence
        implements ReadFence
{
    private final TableAccess access;

    StatementFence(TableAccess access)
    {
        this.access = access;
    }

    @Override
    public void enter(Connection connection)
            throws SQLException
    {
        access.beginUnlocked(connection);
    }

    @Override
    public void prove(Connection connection)
    {}

    @Override
    public Optional<TrinoException> explain(SQLException error)
    {
        return access.explain(error);
    }
}
