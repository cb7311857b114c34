package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;

import static java.util.Objects.requireNonNull;

/**
 * Sends filters on dates to MySQL while Trino reads invalid dates as NULL.
 *
 * <p>MySQL compares invalid dates as values, so it may return some that Trino then drops, and must not be asked for
 * NULLs, since it would not return them.
 *
 * @param valid what decides about filters on valid dates
 */
public record NullableDatePushdown(PredicatePushdownController valid)
        implements PredicatePushdownController
{
    public NullableDatePushdown
    {
        requireNonNull(valid, "valid is null");
    }

    @Override
    public DomainPushdownResult apply(ConnectorSession session, Domain domain)
    {
        if (domain.isNullAllowed()) {
            return DISABLE_PUSHDOWN.apply(session, domain);
        }
        return new DomainPushdownResult(valid.apply(session, domain).getPushedDown(), domain);
    }
}
