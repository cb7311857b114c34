package io.mysqlpq.trino.types;

import com.google.common.math.LongMath;
import io.mysqlpq.trino.key.DateKeyValue;
import io.mysqlpq.trino.key.DatetimeKeyValue;
import io.mysqlpq.trino.key.KeyValue;
import io.trino.spi.type.DateTimeEncoding;
import io.trino.spi.type.LongTimestampWithTimeZone;

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

/** Writes dates and times of filters as MySQL's key values. Empty for those that no column holds. */
final class CalendarKeys
{
    private static final long LAST_TIMESTAMP = Integer.MAX_VALUE;

    private CalendarKeys()
    {}

    static Optional<KeyValue> date(LocalDate date)
    {
        return hasFourDigits(date) ? Optional.of(new DateKeyValue(date.toString())) : Optional.empty();
    }

    static Optional<KeyValue> datetime(long epochMicros, int precision)
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

    static Optional<KeyValue> timestamp(Object value, int steps, int precision)
    {
        long epochMicros = epochMicros(value) + steps * microsOfStep(precision);
        long second = floorDiv(epochMicros, MICROSECONDS_PER_SECOND);
        return 0 < second && second <= LAST_TIMESTAMP ? datetime(epochMicros, precision) : Optional.empty();
    }

    static long microsOfStep(int precision)
    {
        return LongMath.pow(10, MAX_SHORT_PRECISION - precision);
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
