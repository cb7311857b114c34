package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the rows of a range that the extension leaves to MySQL. */
sealed interface LeftRows
        permits RowIdRange, RowsInOrder, SqlRows
{
    /**
     * Reads the rows after a key, or all of the range.
     *
     * @param unusual the column with a cell that only SQL reads, if there is one
     */
    RowPages after(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeyBound> last, OptionalInt unusual)
            throws SQLException;

    /**
     * Whether to ask the extension again after it has refused. Waits before it says yes.
     *
     * @param code of the protocol
     * @param backoff since the extension was first asked
     */
    default boolean isAskedAgain(String code, Backoff backoff)
            throws SQLException
    {
        return false;
    }

    /** Fails the read if nobody but the extension could read the rows that it refuses. */
    default void refused(String code, SQLException refusal)
    {}
}
