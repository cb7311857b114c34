package io.mysqlpq.trino.scan;

import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Holds a read to what was planned: in a transaction that the reader ends when it is done. */
interface ReadFence
{
    /** Opens the transaction. */
    void enter(Connection connection)
            throws SQLException;

    /** Fails unless all rows that were read count. Called after the last one. */
    void prove(Connection connection)
            throws SQLException;

    /** Whether an error says little itself, and {@link #causeOf} may say more. */
    default boolean hidesCause(SQLException error)
    {
        return false;
    }

    /** What is behind such an error. Any connection of the same account may be asked. */
    default SQLException causeOf(SQLException error, Connection connection)
    {
        return error;
    }

    /** The failure in the reader's words, if MySQL's error is the fence's doing. */
    Optional<TrinoException> explain(SQLException error);
}
