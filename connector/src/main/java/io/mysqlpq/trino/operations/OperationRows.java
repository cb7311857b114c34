package io.mysqlpq.trino.operations;

import io.trino.spi.connector.ConnectorSession;

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
    List<List<Object>> rows(ConnectorSession session, H handle);
}
