package io.mysqlpq.trino.keyfilter;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.key.DateKeyValue;
import io.mysqlpq.trino.key.DatetimeKeyValue;
import io.mysqlpq.trino.key.DecimalKeyValue;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.KeyValue;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;

import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

class TestKeyFilter
{
    private static final JdbcColumnHandle A = column("a", "BIGINT", BIGINT);
    private static final JdbcColumnHandle B = column("b", "INT", INTEGER);
    private static final JdbcColumnHandle TEXT = column("a", "VARCHAR", VARCHAR);
    private static final JdbcColumnHandle UNSIGNED = column("a", "BIGINT UNSIGNED", createDecimalType(20));
    private static final JdbcColumnHandle DECIMAL = column("a", "DECIMAL", createDecimalType(20));

    @Test
    void testNoFilter()
    {
        assertThat(ascending(TupleDomain.all()).range()).isEqualTo(KeyRange.all());
        assertThat(ascending(TupleDomain.all()).isPointLookup()).isFalse();
        assertThat(ascending(filter(B, Range.equal(INTEGER, 5L))).range()).isEqualTo(KeyRange.all());
    }

    @Test
    void testBoundsAreHalfOpen()
    {
        assertThat(ascending(filter(A, Range.range(BIGINT, 5L, true, 9L, true))).range()).isEqualTo(range("5", "10"));
        assertThat(ascending(filter(A, Range.range(BIGINT, 5L, false, 9L, false))).range()).isEqualTo(range("6", "9"));
        assertThat(ascending(filter(A, Range.greaterThan(BIGINT, 5L))).range()).isEqualTo(range("6", null));
        assertThat(ascending(filter(A, Range.lessThanOrEqual(BIGINT, 5L))).range()).isEqualTo(range(null, "6"));
        assertThat(ascending(filter(A, Range.equal(BIGINT, 5L), Range.equal(BIGINT, 70L))).range()).isEqualTo(range("5", "71"));
    }

    @Test
    void testDescendingColumnBeginsAtTheGreatest()
    {
        KeyFilter filter = new KeyFilter(ImmutableList.of(new KeyFilter.Column("a", true)), filter(A, Range.range(BIGINT, 5L, true, 9L, true)));
        assertThat(filter.range()).isEqualTo(range("9", "4"));
    }

    @Test
    void testExtremes()
    {
        assertThat(ascending(filter(A, Range.lessThanOrEqual(BIGINT, Long.MAX_VALUE))).range()).isEqualTo(KeyRange.all());
        assertThat(ascending(filter(A, Range.greaterThanOrEqual(BIGINT, Long.MIN_VALUE))).range()).isEqualTo(range(Long.toString(Long.MIN_VALUE), null));
    }

    @Test
    void testUnsignedAndOtherTypes()
    {
        assertThat(ascending(filter(UNSIGNED, Range.greaterThan(createDecimalType(20), Int128.valueOf(7)))).range()).isEqualTo(range("8", null));
        assertThat(ascending(filter(DECIMAL, Range.greaterThan(createDecimalType(20), Int128.valueOf(7)))).range()).isEqualTo(KeyRange.all());
        assertThat(ascending(filter(TEXT, Range.equal(VARCHAR, utf8Slice("x")))).range()).isEqualTo(KeyRange.all());
    }

    @Test
    void testDates()
    {
        JdbcColumnHandle column = column("a", "DATE", DATE);
        long day = LocalDate.of(2026, 11, 21).toEpochDay();
        assertThat(ascending(filter(column, Range.equal(DATE, day))).range()).isEqualTo(dates("2026-11-21", "2026-11-22"));
        assertThat(ascending(filter(column, Range.range(DATE, day, false, day + 30, false))).range()).isEqualTo(dates("2026-11-21", "2026-12-21"));
        assertThat(descending(filter(column, Range.range(DATE, day, false, day + 30, false))).range()).isEqualTo(dates("2026-12-21", "2026-11-21"));
        assertThat(descending(filter(column, Range.range(DATE, day, true, day + 30, true))).range()).isEqualTo(dates("2026-12-21", "2026-11-20"));
        assertThat(ascending(filter(column, Range.lessThanOrEqual(DATE, LocalDate.of(9999, 12, 31).toEpochDay()))).range()).isEqualTo(KeyRange.all());
        assertThat(ascending(filter(column, Range.greaterThan(DATE, LocalDate.of(-5, 1, 1).toEpochDay()))).range()).isEqualTo(KeyRange.all());
    }

    @Test
    void testDatetimesAndTimestamps()
    {
        TimestampType type = TimestampType.createTimestampType(3);
        long micros = Instant.parse("2026-11-21T15:00:00.123Z").toEpochMilli() * 1000;
        assertThat(ascending(filter(column("a", "DATETIME", type), Range.range(type, micros, true, micros, true))).range())
                .isEqualTo(new KeyRange(bound(new DatetimeKeyValue("2026-11-21 15:00:00.123")), bound(new DatetimeKeyValue("2026-11-21 15:00:00.124"))));
        TimestampWithTimeZoneType instant = TimestampWithTimeZoneType.createTimestampWithTimeZoneType(0);
        JdbcColumnHandle timestamp = column("a", "TIMESTAMP", instant);
        assertThat(ascending(filter(timestamp, Range.greaterThan(instant, packDateTimeWithZone(1_000, UTC_KEY)))).range())
                .isEqualTo(new KeyRange(bound(new DatetimeKeyValue("1970-01-01 00:00:01")), Optional.empty()));
        assertThat(ascending(filter(timestamp, Range.lessThan(instant, packDateTimeWithZone(0, UTC_KEY)))).range()).isEqualTo(KeyRange.all());
        assertThat(ascending(filter(timestamp, Range.lessThan(instant, packDateTimeWithZone(Integer.MAX_VALUE * 1000L + 1000, UTC_KEY)))).range()).isEqualTo(KeyRange.all());
    }

    @Test
    void testDecimals()
    {
        DecimalType type = createDecimalType(3, 2);
        JdbcColumnHandle column = new JdbcColumnHandle(
                "a",
                new JdbcTypeHandle(Types.DECIMAL, Optional.of("DECIMAL"), Optional.of(3), Optional.of(2), Optional.empty(), Optional.empty()),
                type);
        assertThat(ascending(filter(column, Range.range(type, -5L, true, 150L, true))).range())
                .isEqualTo(new KeyRange(bound(new DecimalKeyValue("-0.05")), bound(new DecimalKeyValue("1.51"))));
        assertThat(ascending(filter(column, Range.lessThanOrEqual(type, 999L))).range()).isEqualTo(KeyRange.all());
    }

    @Test
    void testPointLookupFixesTheWholeKey()
    {
        List<KeyFilter.Column> key = ImmutableList.of(new KeyFilter.Column("a", false), new KeyFilter.Column("b", true));
        TupleDomain<ColumnHandle> a = filter(A, Range.equal(BIGINT, 5L));
        TupleDomain<ColumnHandle> both = a.intersect(filter(B, Range.equal(INTEGER, 7L)));
        assertThat(new KeyFilter(key, a).isPointLookup()).isFalse();
        assertThat(new KeyFilter(key, both).isPointLookup()).isTrue();
        assertThat(new KeyFilter(ImmutableList.of(), both).isPointLookup()).isFalse();
    }

    private static KeyFilter ascending(TupleDomain<ColumnHandle> filter)
    {
        return new KeyFilter(ImmutableList.of(new KeyFilter.Column("a", false)), filter);
    }

    private static TupleDomain<ColumnHandle> filter(JdbcColumnHandle column, Range... ranges)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, Domain.create(ValueSet.ofRanges(ImmutableList.copyOf(ranges)), false)));
    }

    private static KeyFilter descending(TupleDomain<ColumnHandle> filter)
    {
        return new KeyFilter(ImmutableList.of(new KeyFilter.Column("a", true)), filter);
    }

    private static KeyRange dates(String lower, String upper)
    {
        return new KeyRange(bound(new DateKeyValue(lower)), bound(new DateKeyValue(upper)));
    }

    private static Optional<KeyBound> bound(KeyValue value)
    {
        return Optional.of(KeyBound.of(value));
    }

    private static KeyRange range(String lower, String upper)
    {
        return new KeyRange(bound(lower), bound(upper));
    }

    private static Optional<KeyBound> bound(String digits)
    {
        return Optional.ofNullable(digits).map(value -> KeyBound.of(new IntegerKeyValue(value)));
    }

    private static JdbcColumnHandle column(String name, String mysqlType, Type type)
    {
        return new JdbcColumnHandle(
                name,
                new JdbcTypeHandle(Types.OTHER, Optional.of(mysqlType), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                type);
    }
}
