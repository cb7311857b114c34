package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.LongWriteFunction;
import io.trino.plugin.jdbc.ObjectWriteFunction;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.TrinoException;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.RealType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;

import static io.trino.plugin.jdbc.StandardColumnMappings.bigintWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.booleanWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.charWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.doubleWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.integerWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.longDecimalWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.longTimestampWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.realWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.shortDecimalWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.smallintWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.timeWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.timestampWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.tinyintWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varbinaryWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharWriteFunction;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.StandardTypes.JSON;
import static java.lang.Math.min;
import static java.time.ZoneOffset.UTC;

/** Maps Trino types to MySQL column types and binds values of them, as the stock connector does by default. */
public final class WriteMappings
{
    /** Fractional digits of MySQL's TIME, DATETIME and TIMESTAMP. */
    static final int MAX_FRACTION_DIGITS = 6;

    private static final int MAX_CHAR_LENGTH = 255;
    private static final int HALF_MICROSECOND_NANOS = 500;
    private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS'+00:00'").withZone(UTC);

    private WriteMappings()
    {}

    public static WriteMapping toWriteMapping(Type type)
    {
        return switch (type) {
            case BooleanType _ -> WriteMapping.booleanMapping("boolean", booleanWriteFunction());
            case TinyintType _ -> WriteMapping.longMapping("tinyint", tinyintWriteFunction());
            case SmallintType _ -> WriteMapping.longMapping("smallint", smallintWriteFunction());
            case IntegerType _ -> WriteMapping.longMapping("integer", integerWriteFunction());
            case BigintType _ -> WriteMapping.longMapping("bigint", bigintWriteFunction());
            case RealType _ -> WriteMapping.longMapping("float", realWriteFunction());
            case DoubleType _ -> WriteMapping.doubleMapping("double precision", doubleWriteFunction());
            case DecimalType decimal -> decimalMapping(decimal);
            case DateType _ -> WriteMapping.longMapping("date", dateWriteFunction());
            case TimeType time -> WriteMapping.longMapping("time(%d)".formatted(fractionDigits(time.getPrecision())), timeWriteFunction(fractionDigits(time.getPrecision())));
            case TimestampType timestamp -> datetimeMapping(timestamp);
            case TimestampWithTimeZoneType timestamp -> timestampMapping(timestamp);
            case VarbinaryType _ -> WriteMapping.sliceMapping("mediumblob", varbinaryWriteFunction());
            case CharType character -> charMapping(character);
            case VarcharType varchar -> WriteMapping.sliceMapping(textType(varchar), varcharWriteFunction());
            default -> {
                if (!type.getBaseName().equals(JSON)) {
                    throw new TrinoException(NOT_SUPPORTED, "Unsupported column type: " + type.getDisplayName());
                }
                yield WriteMapping.sliceMapping("json", varcharWriteFunction());
            }
        };
    }

    private static WriteMapping decimalMapping(DecimalType type)
    {
        String name = "decimal(%d, %d)".formatted(type.getPrecision(), type.getScale());
        if (type.isShort()) {
            return WriteMapping.longMapping(name, shortDecimalWriteFunction(type));
        }
        return WriteMapping.objectMapping(name, longDecimalWriteFunction(type));
    }

    private static WriteMapping datetimeMapping(TimestampType type)
    {
        String name = "datetime(%d)".formatted(fractionDigits(type.getPrecision()));
        if (type.isShort()) {
            return WriteMapping.longMapping(name, timestampWriteFunction(type));
        }
        return WriteMapping.objectMapping(name, longTimestampWriteFunction(type, MAX_FRACTION_DIGITS));
    }

    private static WriteMapping timestampMapping(TimestampWithTimeZoneType type)
    {
        String name = "timestamp(%d)".formatted(fractionDigits(type.getPrecision()));
        if (type.isShort()) {
            return WriteMapping.longMapping(name, shortInstantWriteFunction());
        }
        return WriteMapping.objectMapping(name, longInstantWriteFunction());
    }

    private static WriteMapping charMapping(CharType type)
    {
        if (type.getLength() > MAX_CHAR_LENGTH) {
            throw new TrinoException(NOT_SUPPORTED, "Unsupported column type: %s. MySQL's CHAR has at most %d characters: use VARCHAR".formatted(type.getDisplayName(), MAX_CHAR_LENGTH));
        }
        return WriteMapping.sliceMapping("char(%d)".formatted(type.getLength()), charWriteFunction());
    }

    private static int fractionDigits(int precision)
    {
        return min(precision, MAX_FRACTION_DIGITS);
    }

    // A TEXT type's limit is in bytes and a varchar's length in code points: the stock connector's thresholds all the same.
    private static String textType(VarcharType type)
    {
        if (type.isUnbounded() || type.getBoundedLength() > 0xFF_FFFF) {
            return "longtext";
        }
        int length = type.getBoundedLength();
        if (length <= 0xFF) {
            return "tinytext";
        }
        return length <= 0xFFFF ? "text" : "mediumtext";
    }

    /** Binds an ISO date as text: a java.sql.Date would pass through the JVM's time zone and calendar. */
    static LongWriteFunction dateWriteFunction()
    {
        return new LongWriteFunction() {
            @Override
            public String getBindExpression()
            {
                return "CAST(? AS DATE)";
            }

            @Override
            public void set(PreparedStatement statement, int index, long epochDay)
                    throws SQLException
            {
                statement.setString(index, LocalDate.ofEpochDay(epochDay).toString());
            }
        };
    }

    static LongWriteFunction shortInstantWriteFunction()
    {
        return (statement, index, value) -> setInstant(statement, index, Instant.ofEpochMilli(unpackMillisUtc(value)));
    }

    static ObjectWriteFunction longInstantWriteFunction()
    {
        return ObjectWriteFunction.of(
                LongTimestampWithTimeZone.class,
                (statement, index, value) -> setInstant(statement, index, Instant.ofEpochMilli(value.getEpochMillis()).plusNanos(value.getPicosOfMilli() / 1_000)));
    }

    // With its offset it is one instant in every session. The driver takes an Instant through the JVM's zone, where some hours stand for two.
    private static void setInstant(PreparedStatement statement, int index, Instant instant)
            throws SQLException
    {
        statement.setString(index, INSTANT.format(instant.plusNanos(HALF_MICROSECOND_NANOS)));
    }
}
