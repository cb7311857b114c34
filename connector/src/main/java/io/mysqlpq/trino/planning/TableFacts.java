package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.TableKey;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Holds the facts that a table's access path depends on, beside the query.
 *
 * @param unavailable why the extension gives no ranges of any table
 * @param aggregated whether the extension, if there is one, computes expressions and groups
 */
record TableFacts(TableKey key, Optional<ExtensionUnavailableException> unavailable, boolean aggregated)
{
    TableFacts
    {
        requireNonNull(key, "key is null");
        requireNonNull(unavailable, "unavailable is null");
    }

    Optional<FallbackCause> fallbackCause()
    {
        return unavailable.map(ExtensionUnavailableException::fallbackCause);
    }
}
