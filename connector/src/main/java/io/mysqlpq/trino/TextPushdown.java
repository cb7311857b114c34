package io.mysqlpq.trino;

import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;

import static io.trino.plugin.jdbc.JdbcMetadataSessionProperties.getDomainCompactionThreshold;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;

/**
 * Sends only equality of strings to MySQL, and keeps the filter in Trino.
 *
 * <p>Strings that are equal in Trino are equal under every MySQL collation, so MySQL returns at least the rows
 * wanted. The reverse does not hold (case, accents, trailing spaces), and MySQL orders strings in its own
 * way: ranges and inequalities stay with Trino.
 */
final class TextPushdown
        implements PredicatePushdownController
{
    @Override
    public DomainPushdownResult apply(ConnectorSession session, Domain domain)
    {
        if (domain.isOnlyNull() || domain.getValues().isAll()) {
            return FULL_PUSHDOWN.apply(session, domain);
        }
        // Compaction may turn many values into one range.
        Domain compact = domain.simplify(getDomainCompactionThreshold(session));
        if (!compact.getValues().isDiscreteSet()) {
            return DISABLE_PUSHDOWN.apply(session, domain);
        }
        return new DomainPushdownResult(compact, domain);
    }
}
