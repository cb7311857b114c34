package io.mysqlpq.trino.scan;

import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Makes sure that a read sees what was planned, in a transaction that the reader ends when it is done. */
interface ReadFence
{
    /** Opens the transaction. */
    void enter(Connection connection)
            throws SQLException;

    /** Proves that all rows that were read count, and fails otherwise. Called after the last row. */
    void prove(Connection connection)
            throws SQLException;

    /** Whether an error itself says little, and {@link #causeOf} may say more. */
    default boolean hidesCause(SQLException error)
    {
        return false;
    }

    /** Finds the cause of such an error. Any connection of the same account may be asked. */
    default SQLException causeOf(SQLException error, Connection connection)
    {
        return error;
    }

    /** Explains MySQL's error in the reader's words. Empty if the fence has nothing to do with it. */
    Optional<TrinoException> explain(SQLException error);
}
