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
 * <p>What base-jdbc cannot write of a domain it widens or drops. Of a dynamic filter it may, but the intersection with a filter that
 * Trino has handed over would drop that one too.
 */
public interface DynamicFilterSql
{
    /** Empty where MySQL cannot decide the filter. */
    Optional<ParameterizedExpression> toSql(JdbcClient client, ConnectorSession session, Connection connection, JdbcRelationHandle relation, TupleDomain<ColumnHandle> filter);
}
