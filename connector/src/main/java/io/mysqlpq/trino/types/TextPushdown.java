package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;

import static io.trino.plugin.jdbc.JdbcMetadataSessionProperties.getDomainCompactionThreshold;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;

/**
 * Sends filters on strings to MySQL, which compares them as Trino does if asked as MysqlPqQueryBuilder asks.
 *
 * <p>More values than the session allows are no filter: their least and greatest would be one, but let too much through to be
 * worth comparing each row by it.
 */
final class TextPushdown
        implements PredicatePushdownController
{
    @Override
    public DomainPushdownResult apply(ConnectorSession session, Domain domain)
    {
        boolean compacted = !domain.equals(domain.simplify(getDomainCompactionThreshold(session)));
        return (compacted ? DISABLE_PUSHDOWN : FULL_PUSHDOWN).apply(session, domain);
    }
}
