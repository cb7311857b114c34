package io.mysqlpq.trino.keyfilter;

import com.google.common.math.LongMath;
import io.mysqlpq.trino.key.DateKeyValue;
import io.mysqlpq.trino.key.DatetimeKeyValue;
import io.mysqlpq.trino.key.DecimalKeyValue;
import io.mysqlpq.trino.key.KeyValue;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.DateTimeEncoding;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

import static io.trino.spi.type.TimestampType.MAX_SHORT_PRECISION;
import static io.trino.spi.type.Timestamps.MICROSECONDS_PER_MILLISECOND;
import static io.trino.spi.type.Timestamps.MICROSECONDS_PER_SECOND;
import static io.trino.spi.type.Timestamps.NANOSECONDS_PER_MICROSECOND;
import static io.trino.spi.type.Timestamps.PICOSECONDS_PER_MICROSECOND;
import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;
import static java.lang.Math.toIntExact;
import static java.util.Locale.ENGLISH;

/** Writes a value of a filter as the key value that it is in MySQL. */
final class DomainValue
{
    private static final long LAST_TIMESTAMP = Integer.MAX_VALUE;

    private DomainValue()
    {}

    /**
     * Empty unless the column surely holds such a value: the extension refuses others, and nothing is lost without.
     *
     * @param steps how many of the column's smallest steps to add
     */
    static Optional<KeyValue> of(JdbcColumnHandle column, Object value, int steps)
    {
        String mysqlType = column.getJdbcTypeHandle().jdbcTypeName().orElse("").toLowerCase(ENGLISH);
        return switch (column.getColumnType()) {
            case DateType _ when mysqlType.equals("date") -> date(LocalDate.ofEpochDay((long) value + steps));
            case TimestampType type when mysqlType.equals("datetime") && type.isShort() -> datetime((long) value + steps * microsOfStep(type.getPrecision()), type.getPrecision());
            case TimestampWithTimeZoneType type when mysqlType.equals("timestamp") && type.getPrecision() <= MAX_SHORT_PRECISION -> timestamp(epochMicros(value) + steps * microsOfStep(type.getPrecision()), type.getPrecision());
            case DecimalType type when mysqlType.equals("decimal") && isAsWide(column.getJdbcTypeHandle(), type) -> decimal(value, steps, type);
            default -> Optional.empty();
        };
    }

    private static Optional<KeyValue> date(LocalDate date)
    {
        return hasFourDigits(date) ? Optional.of(new DateKeyValue(date.toString())) : Optional.empty();
    }

    private static Optional<KeyValue> datetime(long epochMicros, int precision)
    {
        LocalDateTime dateTime = LocalDateTime.ofEpochSecond(
                floorDiv(epochMicros, MICROSECONDS_PER_SECOND),
                floorMod(epochMicros, MICROSECONDS_PER_SECOND) * NANOSECONDS_PER_MICROSECOND,
                ZoneOffset.UTC);
        if (!hasFourDigits(dateTime.toLocalDate())) {
            return Optional.empty();
        }
        String pattern = "uuuu-MM-dd HH:mm:ss" + (precision == 0 ? "" : "." + "S".repeat(precision));
        return Optional.of(new DatetimeKeyValue(DateTimeFormatter.ofPattern(pattern, ENGLISH).format(dateTime)));
    }

    private static Optional<KeyValue> timestamp(long epochMicros, int precision)
    {
        long second = floorDiv(epochMicros, MICROSECONDS_PER_SECOND);
        return 0 < second && second <= LAST_TIMESTAMP ? datetime(epochMicros, precision) : Optional.empty();
    }

    private static Optional<KeyValue> decimal(Object value, int steps, DecimalType type)
    {
        BigInteger unscaled = value instanceof Int128 wide ? wide.toBigInteger() : BigInteger.valueOf((long) value);
        BigDecimal number = new BigDecimal(unscaled.add(BigInteger.valueOf(steps)), type.getScale());
        return number.precision() <= type.getPrecision() ? Optional.of(new DecimalKeyValue(number.toPlainString())) : Optional.empty();
    }

    private static long microsOfStep(int precision)
    {
        return LongMath.pow(10, MAX_SHORT_PRECISION - precision);
    }

    private static boolean isAsWide(JdbcTypeHandle mysqlType, DecimalType type)
    {
        return mysqlType.columnSize().equals(Optional.of(type.getPrecision())) && mysqlType.decimalDigits().equals(Optional.of(type.getScale()));
    }

    private static boolean hasFourDigits(LocalDate date)
    {
        return 1 <= date.getYear() && date.getYear() <= 9999;
    }

    private static long epochMicros(Object instant)
    {
        return instant instanceof LongTimestampWithTimeZone wide
                ? wide.getEpochMillis() * MICROSECONDS_PER_MILLISECOND + toIntExact(wide.getPicosOfMilli() / PICOSECONDS_PER_MICROSECOND)
                : DateTimeEncoding.unpackMillisUtc((long) instant) * MICROSECONDS_PER_MILLISECOND;
    }
}
