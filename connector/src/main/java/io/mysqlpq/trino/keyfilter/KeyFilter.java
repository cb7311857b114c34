package io.mysqlpq.trino.keyfilter;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.types.IntegerDomain;
import io.mysqlpq.trino.types.MysqlTypes;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Int128;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.math.BigInteger.ONE;
import static java.util.Objects.requireNonNull;

/**
 * Tells which part of an index a filter can match.
 *
 * <p>The part may be larger than what the filter matches: each split keeps the whole filter.
 */
public final class KeyFilter
{
    /** One of the index's columns. */
    public record Column(String name, boolean descending)
    {
        public Column
        {
            requireNonNull(name, "name is null");
        }
    }

    private final List<Column> key;
    private final Map<String, JdbcColumnHandle> columns;
    private final Map<ColumnHandle, Domain> domains;

    public KeyFilter(List<Column> key, TupleDomain<ColumnHandle> filter)
    {
        this.key = key;
        this.domains = filter.getDomains().orElse(ImmutableMap.of());
        this.columns = domains.keySet().stream()
                .map(JdbcColumnHandle.class::cast)
                .collect(ImmutableMap.toImmutableMap(JdbcColumnHandle::getColumnName, column -> column));
    }

    /** Whether the filter can match one key only. */
    public boolean isPointLookup()
    {
        return !key.isEmpty() && key.stream()
                .map(column -> domain(column.name()))
                .allMatch(domain -> domain.map(Domain::isSingleValue).orElse(false));
    }

    /** Returns the part of the index in which the filter's matches lie. The leading column bounds it, if that is a number or a date. */
    public KeyRange range()
    {
        if (key.isEmpty()) {
            return KeyRange.all();
        }
        Column leading = key.getFirst();
        Optional<Domain> domain = domain(leading.name());
        if (domain.isEmpty() || domain.get().isNullAllowed() || domain.get().getValues().isNone()) {
            return KeyRange.all();
        }
        Optional<IntegerDomain> integers = IntegerDomain.of(columns.get(leading.name()));
        Range span = domain.get().getValues().getRanges().getSpan();
        if (integers.isEmpty()) {
            return range(columns.get(leading.name()), leading.descending(), span);
        }
        Optional<BigInteger> least = span.getLowValue().map(value -> integer(value).add(span.isLowInclusive() ? BigInteger.ZERO : ONE));
        Optional<BigInteger> greatest = span.getHighValue().map(value -> integer(value).subtract(span.isHighInclusive() ? BigInteger.ZERO : ONE));
        // Index order of a descending column begins at the greatest value.
        return leading.descending()
                ? range(integers.get(), greatest, least.map(value -> value.subtract(ONE)))
                : range(integers.get(), least, greatest.map(value -> value.add(ONE)));
    }

    private static KeyRange range(JdbcColumnHandle column, boolean descending, Range span)
    {
        // MySQL may hold dates between two days of the calendar, such as February 30. The part therefore begins at the bound itself, whether the
        // filter includes the bound or not.
        return descending
                ? new KeyRange(bound(column, span.getHighValue(), 0), bound(column, span.getLowValue(), span.isLowInclusive() ? -1 : 0))
                : new KeyRange(bound(column, span.getLowValue(), 0), bound(column, span.getHighValue(), span.isHighInclusive() ? 1 : 0));
    }

    private static Optional<KeyBound> bound(JdbcColumnHandle column, Optional<Object> value, int steps)
    {
        return value.flatMap(present -> MysqlTypes.of(column).keyValue(column.getJdbcTypeHandle(), column.getColumnType(), present, steps)).map(KeyBound::of);
    }

    private Optional<Domain> domain(String column)
    {
        return Optional.ofNullable(columns.get(column)).map(domains::get);
    }

    private static KeyRange range(IntegerDomain integers, Optional<BigInteger> lower, Optional<BigInteger> upper)
    {
        return new KeyRange(bound(integers, lower), bound(integers, upper));
    }

    // The extension refuses a bound that the column cannot hold. Without the bound nothing is lost.
    private static Optional<KeyBound> bound(IntegerDomain integers, Optional<BigInteger> value)
    {
        return value.filter(integers::contains).map(number -> KeyBound.of(IntegerKeyValue.of(number)));
    }

    private static BigInteger integer(Object value)
    {
        return value instanceof Int128 wide ? wide.toBigInteger() : BigInteger.valueOf((long) value);
    }
}
