package io.mysqlpq.trino.pushdown;

import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Writes a filter on an integer column as a filter on a wider integer type, with the same numbers. */
final class WidenedDomain
{
    private WidenedDomain()
    {}

    static Domain of(Domain domain, Type type)
    {
        List<Range> ranges = domain.getValues().getRanges().getOrderedRanges().stream().map(range -> widen(range, type)).collect(toImmutableList());
        return Domain.create(ranges.isEmpty() ? ValueSet.none(type) : ValueSet.ofRanges(ranges), domain.isNullAllowed());
    }

    private static Range widen(Range range, Type type)
    {
        if (range.isAll()) {
            return Range.all(type);
        }
        if (range.isLowUnbounded()) {
            return range.isHighInclusive() ? Range.lessThanOrEqual(type, range.getHighBoundedValue()) : Range.lessThan(type, range.getHighBoundedValue());
        }
        if (range.isHighUnbounded()) {
            return range.isLowInclusive() ? Range.greaterThanOrEqual(type, range.getLowBoundedValue()) : Range.greaterThan(type, range.getLowBoundedValue());
        }
        return Range.range(type, range.getLowBoundedValue(), range.isLowInclusive(), range.getHighBoundedValue(), range.isHighInclusive());
    }
}
