package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.protocol.ScanFilter;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes domains as filters of a native scan. */
public final class NativeFilters
{
    private static final int MOST_INTERVALS = 1_000;
    private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);
    private static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);

    private NativeFilters()
    {}

    /** Empty unless all of the filter can be written. */
    public static Optional<List<ScanFilter>> all(TupleDomain<ColumnHandle> filter)
    {
        if (filter.isNone()) {
            return Optional.empty();
        }
        List<ScanFilter> filters = some(filter);
        return filters.size() == filter.getDomains().orElseThrow().size() ? Optional.of(filters) : Optional.empty();
    }

    /** What of the filter can be written. */
    public static List<ScanFilter> some(TupleDomain<ColumnHandle> filter)
    {
        ImmutableList.Builder<ScanFilter> filters = ImmutableList.builder();
        for (Map.Entry<ColumnHandle, Domain> column : filter.getDomains().orElse(Map.of()).entrySet()) {
            write((JdbcColumnHandle) column.getKey(), column.getValue()).ifPresent(filters::add);
        }
        return filters.build();
    }

    private static Optional<ScanFilter> write(JdbcColumnHandle column, Domain domain)
    {
        if (NativeLayout.of(column.getJdbcTypeHandle(), column.getColumnType()).isEmpty()
                || !(domain.getValues() instanceof SortedRangeSet values)
                || values.getRangeCount() > MOST_INTERVALS) {
            return Optional.empty();
        }
        ImmutableList.Builder<ScanFilter.Interval> intervals = ImmutableList.builder();
        for (Range range : values.getOrderedRanges()) {
            Optional<String> low = range.getLowValue().flatMap(value -> write(column.getColumnType(), value));
            Optional<String> high = range.getHighValue().flatMap(value -> write(column.getColumnType(), value));
            if (low.isPresent() == range.isLowUnbounded() || high.isPresent() == range.isHighUnbounded()) {
                return Optional.empty();
            }
            intervals.add(new ScanFilter.Interval(low, range.isLowInclusive(), high, range.isHighInclusive()));
        }
        return Optional.of(new ScanFilter(column.getColumnName(), intervals.build(), domain.isNullAllowed()));
    }

    // Empty for a value that has no form in the protocol, or that MySQL does not sort as Trino does.
    private static Optional<String> write(Type type, Object value)
    {
        return switch (type) {
            case TinyintType _,SmallintType _,IntegerType _,BigintType _ -> Optional.of(value.toString());
            case DecimalType decimal -> Optional.of(new BigDecimal(decimal.isShort() ? BigInteger.valueOf((long) value) : ((Int128) value).toBigInteger(), decimal.getScale()).toPlainString());
            case DateType _ -> Optional.of(LocalDate.ofEpochDay((long) value)).filter(day -> !day.isBefore(FIRST_DAY) && !day.isAfter(LAST_DAY)).map(LocalDate::toString);
            default -> Optional.empty();
        };
    }
}
