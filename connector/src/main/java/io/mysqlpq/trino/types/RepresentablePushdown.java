package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.type.DateTimeEncoding;
import io.trino.spi.type.LongTimestampWithTimeZone;

import java.time.LocalDate;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;
import static io.trino.spi.type.Timestamps.MICROSECONDS_PER_DAY;
import static io.trino.spi.type.Timestamps.MILLISECONDS_PER_DAY;
import static java.util.Objects.requireNonNull;

/**
 * Sends a filter to MySQL if MySQL has a literal for each of its values, and else leaves it to Trino.
 *
 * <p>MySQL has no year 10000 and no infinity, and takes a comparison with one for NULL or for an error.
 */
final class RepresentablePushdown
        implements PredicatePushdownController
{
    private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    static final PredicatePushdownController DOUBLES = new RepresentablePushdown(value -> Double.isFinite((double) value));
    static final PredicatePushdownController DATES = new RepresentablePushdown(value -> hasDay((long) value));
    /** Timestamps of at most microseconds. */
    static final PredicatePushdownController DATETIMES = new RepresentablePushdown(value -> hasDay(Math.floorDiv((long) value, MICROSECONDS_PER_DAY)));
    static final PredicatePushdownController TIMESTAMPS = new RepresentablePushdown(value -> hasDay(Math.floorDiv(epochMillis(value), (long) MILLISECONDS_PER_DAY)));

    private final Predicate<Object> representable;

    private RepresentablePushdown(Predicate<Object> representable)
    {
        this.representable = requireNonNull(representable, "representable is null");
    }

    @Override
    public DomainPushdownResult apply(ConnectorSession session, Domain domain)
    {
        boolean all = domain.getValues().getRanges().getOrderedRanges().stream()
                .flatMap(RepresentablePushdown::bounds)
                .allMatch(representable);
        return (all ? FULL_PUSHDOWN : DISABLE_PUSHDOWN).apply(session, domain);
    }

    private static Stream<Object> bounds(Range range)
    {
        return Stream.concat(range.getLowValue().stream(), range.getHighValue().stream());
    }

    private static boolean hasDay(long epochDay)
    {
        return FIRST_DAY <= epochDay && epochDay <= LAST_DAY;
    }

    private static long epochMillis(Object instant)
    {
        return instant instanceof LongTimestampWithTimeZone wide ? wide.getEpochMillis() : DateTimeEncoding.unpackMillisUtc((long) instant);
    }
}
