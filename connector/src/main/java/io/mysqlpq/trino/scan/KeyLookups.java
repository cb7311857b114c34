package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;

/**
 * Counts the places of an index that a filter names: the values, or intervals, of its leading columns, in all combinations.
 *
 * <p>From 200 places on ({@code eq_range_index_dive_limit}) MySQL estimates their rows by averages, whether they exist or not. Its
 * hypergraph optimizer may then find the whole index cheaper, and FORCE INDEX does not prevent that.
 */
final class KeyLookups
{
    private static final long MOST = 100;

    private KeyLookups()
    {}

    static boolean areFew(IndexKey key, TupleDomain<ColumnHandle> filter)
    {
        long lookups = 1;
        for (KeyColumn column : key.columns()) {
            Optional<Domain> domain = domain(filter, column);
            if (domain.isEmpty()) {
                return true;
            }
            List<Range> ranges = domain.get().getValues().getRanges().getOrderedRanges();
            lookups *= ranges.size() + (domain.get().isNullAllowed() ? 1 : 0);
            if (lookups > MOST) {
                return false;
            }
            if (!ranges.stream().allMatch(Range::isSingleValue)) {
                return true;
            }
        }
        return true;
    }

    private static Optional<Domain> domain(TupleDomain<ColumnHandle> filter, KeyColumn column)
    {
        return filter.getDomains().flatMap(domains -> domains.entrySet().stream()
                .filter(entry -> ((JdbcColumnHandle) entry.getKey()).getColumnName().equalsIgnoreCase(column.name()))
                .map(entry -> entry.getValue())
                .findFirst());
    }
}
