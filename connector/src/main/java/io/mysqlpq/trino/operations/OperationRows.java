package io.mysqlpq.trino.operations;

import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Asks MySQL for the rows of a table function, by the account of the session.
 *
 * @param <H> what is asked for
 */
interface OperationRows<H extends OperationHandle>
{
    List<ResultColumn> columns();

    /** @return for each row a value, or null, of each column */
    List<List<Object>> rows(ConnectorSession session, Connection connection, H handle)
            throws SQLException;

    /** Tells the user what could not be found out, and why. */
    TrinoException failure(H handle, SQLException cause);

    /** Returns the rows of a server that cannot be asked. */
    default List<List<Object>> withoutServer(String obstacle)
    {
        return List.of();
    }
}
