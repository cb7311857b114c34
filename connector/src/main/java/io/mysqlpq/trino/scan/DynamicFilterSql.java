package io.mysqlpq.trino.scan;

import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.util.Optional;

/**
 * Writes dynamic filters as SQL of their own.
 *
 * <p>base-jdbc widens or drops a part of a domain that it cannot write. A dynamic filter may lose that part. A filter that Trino has handed
 * over may not, and in an intersection of both it would be lost too.
 */
public interface DynamicFilterSql
{
    /** Writes the filter. Empty if MySQL cannot decide it. */
    Optional<ParameterizedExpression> toSql(JdbcClient client, ConnectorSession session, Connection connection, JdbcRelationHandle relation, TupleDomain<ColumnHandle> filter);
}
