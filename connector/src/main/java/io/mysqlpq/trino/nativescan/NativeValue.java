package io.mysqlpq.trino.nativescan;

import io.airlift.slice.Slice;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;

import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static java.time.ZoneOffset.UTC;
import static java.time.format.DateTimeFormatter.ofPattern;

/** Writes values of columns as the protocol does. */
final class NativeValue
{
    private static final int MOST_FRACTION_DIGITS = 6;
    private static final int PICOS_PER_NANO = 1_000;
    private static final String DATETIME = "uuuu-MM-dd HH:mm:ss";
    private static final LocalDateTime FIRST = LocalDate.of(1, 1, 1).atStartOfDay();
    private static final LocalDateTime END = LocalDate.of(10_000, 1, 1).atStartOfDay();
    // A TIMESTAMP of MySQL has no others.
    private static final Instant FIRST_INSTANT = Instant.ofEpochSecond(1);
    private static final Instant END_INSTANT = Instant.ofEpochSecond(Integer.MAX_VALUE);

    private NativeValue()
    {}

    /** Writes a value. Empty if no column of MySQL has it, or MySQL does not sort it as Trino does. */
    static Optional<String> write(Type type, Object value)
    {
        return switch (type) {
            case BooleanType _ -> Optional.of((boolean) value ? "1" : "0");
            case TinyintType _,SmallintType _,IntegerType _,BigintType _ -> Optional.of(value.toString());
            case DecimalType decimal -> Optional.of(new BigDecimal(decimal.isShort() ? BigInteger.valueOf((long) value) : ((Int128) value).toBigInteger(), decimal.getScale()).toPlainString());
            case DateType _ -> Optional.of(LocalDate.ofEpochDay((long) value)).filter(day -> isDatetime(day.atStartOfDay())).map(LocalDate::toString);
            case TimestampType timestamp when timestamp.getPrecision() <= MOST_FRACTION_DIGITS ->
                Optional.of(Instant.EPOCH.plus((long) value, ChronoUnit.MICROS).atOffset(UTC).toLocalDateTime()).filter(NativeValue::isDatetime).map(time -> write(time, DATETIME, timestamp.getPrecision()));
            case TimestampWithTimeZoneType instant when instant.getPrecision() <= MOST_FRACTION_DIGITS -> Optional.of(instant(value))
                    .filter(time -> !time.isBefore(FIRST_INSTANT) && time.isBefore(END_INSTANT))
                    .map(time -> write(LocalDateTime.ofInstant(time, UTC), DATETIME, instant.getPrecision()));
            case TimeType time when time.getPrecision() <= MOST_FRACTION_DIGITS ->
                Optional.of(write(LocalTime.ofNanoOfDay((long) value / PICOS_PER_NANO).atDate(LocalDate.EPOCH), "HH:mm:ss", time.getPrecision()));
            case VarcharType _,CharType _,VarbinaryType _ -> Optional.of(HexFormat.of().formatHex(((Slice) value).getBytes()));
            default -> Optional.empty();
        };
    }

    private static boolean isDatetime(LocalDateTime time)
    {
        return !time.isBefore(FIRST) && time.isBefore(END);
    }

    private static Instant instant(Object value)
    {
        return value instanceof LongTimestampWithTimeZone time
                ? Instant.ofEpochMilli(time.getEpochMillis()).plusNanos(time.getPicosOfMilli() / PICOS_PER_NANO)
                : Instant.ofEpochMilli(unpackMillisUtc((long) value));
    }

    private static String write(LocalDateTime time, String pattern, int digits)
    {
        return time.format(ofPattern(digits == 0 ? pattern : pattern + "." + "S".repeat(digits)));
    }
}
