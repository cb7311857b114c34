package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.protocol.ScanCondition;
import io.mysqlpq.trino.protocol.ScanCondition.Filter;
import io.mysqlpq.trino.protocol.ScanCondition.Interval;
import io.mysqlpq.trino.types.IntegerDomain;
import io.mysqlpq.trino.types.NativeColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Writes filters of single columns for a native scan. */
public final class NativeFilters
{
    private static final int MOST_INTERVALS = 1_000;

    private NativeFilters()
    {}

    /** Returns the conditions of the whole filter. Empty if they cannot be written. */
    static Optional<List<ScanCondition>> all(TupleDomain<ColumnHandle> filter)
    {
        if (filter.isNone()) {
            return Optional.empty();
        }
        ImmutableList.Builder<ScanCondition> conditions = ImmutableList.builder();
        for (Map.Entry<ColumnHandle, Domain> column : filter.getDomains().orElseThrow().entrySet()) {
            Optional<ScanCondition> condition = write((JdbcColumnHandle) column.getKey(), column.getValue());
            if (condition.isEmpty()) {
                return Optional.empty();
            }
            conditions.add(condition.get());
        }
        return Optional.of(conditions.build());
    }

    /** Returns the conditions that can be written. */
    public static List<ScanCondition> some(TupleDomain<ColumnHandle> filter)
    {
        return filter.getDomains().orElse(Map.of()).entrySet().stream()
                .filter(column -> !column.getValue().isAll())
                .flatMap(column -> write((JdbcColumnHandle) column.getKey(), held((JdbcColumnHandle) column.getKey(), column.getValue())).stream())
                .collect(toImmutableList());
    }

    // The other side of a join may have values that this column cannot hold, and the extension refuses such values. If there are no others, hardly a row passes.
    private static Domain held(JdbcColumnHandle column, Domain domain)
    {
        Domain held = IntegerDomain.within(column, domain);
        return held.isNone() ? Domain.onlyNull(domain.getType()) : held;
    }

    private static Optional<ScanCondition> write(JdbcColumnHandle column, Domain domain)
    {
        if (NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType()).isEmpty()
                || !(domain.getValues() instanceof SortedRangeSet values)
                || values.getRangeCount() > MOST_INTERVALS) {
            return Optional.empty();
        }
        ImmutableList.Builder<Interval> intervals = ImmutableList.builder();
        for (Range range : values.getOrderedRanges()) {
            Optional<String> low = range.getLowValue().flatMap(value -> NativeValue.write(column.getColumnType(), value));
            Optional<String> high = range.getHighValue().flatMap(value -> NativeValue.write(column.getColumnType(), value));
            if (low.isPresent() == range.isLowUnbounded() || high.isPresent() == range.isHighUnbounded()) {
                return Optional.empty();
            }
            intervals.add(new Interval(low, range.isLowInclusive(), high, range.isHighInclusive()));
        }
        return Optional.of(new Filter(column.getColumnName(), intervals.build(), domain.isNullAllowed()));
    }
}
