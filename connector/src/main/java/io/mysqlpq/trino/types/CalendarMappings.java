package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.LongReadFunction;
import io.trino.plugin.jdbc.LongWriteFunction;
import io.trino.plugin.jdbc.ObjectWriteFunction;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.TrinoException;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

import static com.google.common.base.Verify.verify;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_READ_FAILED;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.longTimestampWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.timeReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.timeWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.timestampWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.toTrinoTimestamp;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.TimeType.createTimeType;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static java.lang.Math.min;
import static java.time.ZoneOffset.UTC;

/** Maps the column types that have dates or times. */
final class CalendarMappings
{
    // Connector/J reports display widths where JDBC has precisions: "2026-01-02 03:04:05", "03:04:05", and "-838:59:59" for a query's column.
    private static final int DATETIME_WIDTH = 19;
    private static final int TIME_WIDTH = 8;
    private static final int TIME_WIDTH_IN_QUERY = 10;

    /** Fractional digits of MySQL's TIME, DATETIME and TIMESTAMP. */
    static final int MAX_FRACTION_DIGITS = 6;

    private static final int HALF_MICROSECOND_NANOS = 500;
    private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS'+00:00'").withZone(UTC);

    private CalendarMappings()
    {}

    // A year stands for its first day, which MySQL cannot compare with a YEAR. The driver's own dates begin year 0 in 2000.
    static ColumnMapping year()
    {
        return ColumnMapping.longMapping(DATE, (rows, column) -> LocalDate.of(rows.getInt(column), 1, 1).toEpochDay(), dateWriteFunction(), DISABLE_PUSHDOWN);
    }

    static ColumnMapping time(JdbcTypeHandle handle)
    {
        // Only of a query's columns does it report decimal digits, and always none.
        TimeType type = createTimeType(fractionDigits(handle, handle.decimalDigits().isPresent() ? TIME_WIDTH_IN_QUERY : TIME_WIDTH));
        return ColumnMapping.longMapping(type, withNullTestOfText(timeReadFunction(type)), timeWriteFunction(type.getPrecision()));
    }

    static ColumnMapping date(InvalidDateHandling invalidDates)
    {
        return ColumnMapping.longMapping(
                DATE,
                new CalendarCell<>(LocalDate.class, invalidDates).asLong(LocalDate::toEpochDay),
                dateWriteFunction(),
                pushdown(RepresentablePushdown.DATES, invalidDates));
    }

    static ColumnMapping datetime(JdbcTypeHandle handle, InvalidDateHandling invalidDates)
    {
        TimestampType type = createTimestampType(fractionDigits(handle, DATETIME_WIDTH));
        return ColumnMapping.longMapping(
                type,
                new CalendarCell<>(LocalDateTime.class, invalidDates).asLong(value -> toTrinoTimestamp(type, value)),
                timestampWriteFunction(type),
                pushdown(RepresentablePushdown.DATETIMES, invalidDates));
    }

    // Sessions run in UTC, so the local time that MySQL sends is UTC's.
    static ColumnMapping timestamp(JdbcTypeHandle handle, InvalidDateHandling invalidDates)
    {
        TimestampWithTimeZoneType type = createTimestampWithTimeZoneType(fractionDigits(handle, DATETIME_WIDTH));
        CalendarCell<LocalDateTime> cell = new CalendarCell<>(LocalDateTime.class, invalidDates);
        PredicatePushdownController pushdown = pushdown(RepresentablePushdown.TIMESTAMPS, invalidDates);
        if (type.isShort()) {
            return ColumnMapping.longMapping(
                    type,
                    cell.asLong(value -> packDateTimeWithZone(value.toInstant(UTC).toEpochMilli(), UTC_KEY)),
                    shortInstantWriteFunction(),
                    pushdown);
        }
        return ColumnMapping.objectMapping(
                type,
                cell.asObject(LongTimestampWithTimeZone.class, value -> toTrino(value.toInstant(UTC))),
                longInstantWriteFunction(),
                pushdown);
    }

    private static LongTimestampWithTimeZone toTrino(Instant instant)
    {
        return LongTimestampWithTimeZone.fromEpochSecondsAndFraction(instant.getEpochSecond(), instant.getNano() * 1_000L, UTC_KEY);
    }

    private static PredicatePushdownController pushdown(PredicatePushdownController valid, InvalidDateHandling invalidDates)
    {
        return invalidDates == InvalidDateHandling.NULL ? new NullableDatePushdown(valid) : valid;
    }

    // The standard null test goes through java.sql types, which fail for local times that the JVM's zone skips.
    private static LongReadFunction withNullTestOfText(LongReadFunction values)
    {
        return new LongReadFunction() {
            @Override
            public boolean isNull(ResultSet rows, int column)
                    throws SQLException
            {
                rows.getString(column);
                return rows.wasNull();
            }

            @Override
            public long readLong(ResultSet rows, int column)
                    throws SQLException
            {
                try {
                    return values.readLong(rows, column);
                }
                catch (SQLException | DateTimeException e) {
                    throw new TrinoException(
                            MYSQL_PQ_READ_FAILED,
                            "Column %s holds %s, which is not a time of day. To read it as text, use SELECT CAST(... AS CHAR) in system.query".formatted(CellName.of(rows, column), rows.getString(column)),
                            e);
                }
            }
        };
    }

    private static int fractionDigits(JdbcTypeHandle handle, int widthWithoutFraction)
    {
        int width = handle.requiredColumnSize();
        int digits = width == widthWithoutFraction ? 0 : width - widthWithoutFraction - 1;
        verify(0 <= digits && digits <= MAX_FRACTION_DIGITS, "Unexpected width %s of %s", width, handle);
        return digits;
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

    static WriteMapping datetimeWriteMapping(TimestampType type)
    {
        String name = "datetime(%d)".formatted(fractionDigits(type.getPrecision()));
        if (type.isShort()) {
            return WriteMapping.longMapping(name, timestampWriteFunction(type));
        }
        return WriteMapping.objectMapping(name, longTimestampWriteFunction(type, MAX_FRACTION_DIGITS));
    }

    static WriteMapping timestampWriteMapping(TimestampWithTimeZoneType type)
    {
        String name = "timestamp(%d)".formatted(fractionDigits(type.getPrecision()));
        if (type.isShort()) {
            return WriteMapping.longMapping(name, shortInstantWriteFunction());
        }
        return WriteMapping.objectMapping(name, longInstantWriteFunction());
    }

    static WriteMapping timeWriteMapping(TimeType type)
    {
        int digits = fractionDigits(type.getPrecision());
        return WriteMapping.longMapping("time(%d)".formatted(digits), timeWriteFunction(digits));
    }

    private static int fractionDigits(int precision)
    {
        return min(precision, MAX_FRACTION_DIGITS);
    }
}
