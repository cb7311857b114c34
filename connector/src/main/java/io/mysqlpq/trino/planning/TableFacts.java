package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.TableKey;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Holds what a table's access path depends on beside the query.
 *
 * @param fallbackCause why the extension gives no ranges of any table
 */
public record TableFacts(TableKey key, Optional<FallbackCause> fallbackCause)
{
    public TableFacts
    {
        requireNonNull(key, "key is null");
        requireNonNull(fallbackCause, "fallbackCause is null");
    }
}
