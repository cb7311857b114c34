package io.mysqlpq.trino;

import io.mysqlpq.trino.types.CalendarCell;
import io.mysqlpq.trino.types.ExtendedTypes;
import io.mysqlpq.trino.types.InvalidDateHandling;
import io.mysqlpq.trino.types.NullableDatePushdown;
import io.mysqlpq.trino.types.TypeOptions;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.LongReadFunction;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Optional;

import static com.google.common.base.Verify.verify;
import static io.airlift.slice.Slices.utf8Slice;
import static io.mysqlpq.trino.MysqlPqSessionProperties.typeOptions;
import static io.mysqlpq.trino.WriteMappings.MAX_FRACTION_DIGITS;
import static io.mysqlpq.trino.WriteMappings.dateWriteFunction;
import static io.mysqlpq.trino.WriteMappings.longInstantWriteFunction;
import static io.mysqlpq.trino.WriteMappings.shortInstantWriteFunction;
import static io.trino.plugin.base.util.JsonTypeUtil.jsonParse;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.getDecimalDefaultScale;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.getDecimalRounding;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.getDecimalRoundingMode;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.bigintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.booleanColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.charReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.charWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.decimalColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.doubleWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.integerColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.numberReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.numberWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.realWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.smallintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.timeReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.timeWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.timestampWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.tinyintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.toTrinoTimestamp;
import static io.trino.plugin.jdbc.StandardColumnMappings.varbinaryReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varbinaryWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharWriteFunction;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.NumberType.NUMBER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimeType.createTimeType;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static java.lang.Float.floatToRawIntBits;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.time.ZoneOffset.UTC;
import static java.util.Locale.ENGLISH;

/** Maps MySQL column types, as Connector/J reports them, to Trino types, as the stock connector does by default. */
final class ReadMappings
{
    // Connector/J reports display widths where JDBC has precisions: "2026-01-02 03:04:05", "03:04:05", and "-838:59:59" for a query's column.
    private static final int DATETIME_WIDTH = 19;
    private static final int TIME_WIDTH = 8;
    private static final int TIME_WIDTH_IN_QUERY = 10;
    private static final PredicatePushdownController TEXT_PUSHDOWN = new TextPushdown();

    private final Type jsonType;

    ReadMappings(Type jsonType)
    {
        this.jsonType = jsonType;
    }

    Optional<ColumnMapping> toColumnMapping(ConnectorSession session, JdbcTypeHandle handle)
    {
        String name = handle.jdbcTypeName().orElseThrow(() -> new TrinoException(JDBC_ERROR, "Type name is missing: " + handle));
        TypeOptions options = typeOptions(session);
        Optional<ColumnMapping> extended = options.extendedTypes() ? ExtendedTypes.toColumnMapping(handle) : Optional.empty();
        return extended.isPresent() ? extended : toColumnMapping(session, handle, name, options.invalidDates());
    }

    private Optional<ColumnMapping> toColumnMapping(ConnectorSession session, JdbcTypeHandle handle, String name, InvalidDateHandling invalidDates)
    {
        return switch (name.toLowerCase(ENGLISH)) {
            case "tinyint unsigned" -> Optional.of(smallintColumnMapping());
            case "smallint unsigned" -> Optional.of(integerColumnMapping());
            case "int unsigned" -> Optional.of(bigintColumnMapping());
            case "bigint unsigned" -> Optional.of(decimalColumnMapping(createDecimalType(20)));
            case "json" -> Optional.of(jsonMapping());
            case "enum" -> Optional.of(varcharMapping(handle.requiredColumnSize()));
            case "datetime" -> Optional.of(datetimeMapping(handle, invalidDates));
            case "year" -> Optional.of(yearMapping());
            // Not what Trino would compare: MySQL refuses it for VECTOR, and means shapes for GEOMETRY.
            case "geometry", "vector" -> Optional.of(varbinaryMapping(DISABLE_PUSHDOWN));
            default -> byJdbcType(session, handle, invalidDates);
        };
    }

    private static Optional<ColumnMapping> byJdbcType(ConnectorSession session, JdbcTypeHandle handle, InvalidDateHandling invalidDates)
    {
        return switch (handle.jdbcType()) {
            // More bits than one are no boolean; the stock connector hides them too.
            case Types.BIT -> handle.columnSize().filter(bits -> bits > 1).isPresent() ? Optional.empty() : Optional.of(booleanColumnMapping());
            case Types.TINYINT -> Optional.of(tinyintColumnMapping());
            case Types.SMALLINT -> Optional.of(smallintColumnMapping());
            case Types.INTEGER -> Optional.of(integerColumnMapping());
            case Types.BIGINT -> Optional.of(bigintColumnMapping());
            case Types.REAL -> Optional.of(realMapping());
            case Types.DOUBLE -> Optional.of(ColumnMapping.doubleMapping(DOUBLE, ResultSet::getDouble, doubleWriteFunction(), RepresentablePushdown.DOUBLES));
            case Types.NUMERIC, Types.DECIMAL -> decimalMapping(session, handle);
            case Types.CHAR -> Optional.of(charMapping(handle.requiredColumnSize()));
            case Types.VARCHAR, Types.NVARCHAR, Types.LONGVARCHAR, Types.LONGNVARCHAR -> Optional.of(varcharMapping(handle.requiredColumnSize()));
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY ->
                Optional.of(varbinaryMapping(FULL_PUSHDOWN));
            case Types.DATE -> Optional.of(dateMapping(invalidDates));
            case Types.TIME -> Optional.of(timeMapping(handle));
            case Types.TIMESTAMP -> Optional.of(timestampMapping(handle, invalidDates));
            default -> Optional.empty();
        };
    }

    // FLOAT's text form is rounded, so equality with it means nothing: no pushdown.
    private static ColumnMapping realMapping()
    {
        return ColumnMapping.longMapping(REAL, (rows, column) -> floatToRawIntBits(rows.getFloat(column)), realWriteFunction(), DISABLE_PUSHDOWN);
    }

    private static ColumnMapping varbinaryMapping(PredicatePushdownController pushdown)
    {
        return ColumnMapping.sliceMapping(VARBINARY, varbinaryReadFunction(), varbinaryWriteFunction(), pushdown);
    }

    // A year stands for its first day, which MySQL cannot compare with a YEAR. The driver's own dates begin year 0 in 2000.
    private static ColumnMapping yearMapping()
    {
        return ColumnMapping.longMapping(DATE, (rows, column) -> LocalDate.of(rows.getInt(column), 1, 1).toEpochDay(), dateWriteFunction(), DISABLE_PUSHDOWN);
    }

    private static Optional<ColumnMapping> decimalMapping(ConnectorSession session, JdbcTypeHandle handle)
    {
        int scale = handle.requiredDecimalDigits();
        int precision = handle.requiredColumnSize() + max(-scale, 0);
        if (precision <= Decimals.MAX_PRECISION) {
            return Optional.of(decimalColumnMapping(createDecimalType(precision, max(scale, 0))));
        }
        return switch (getDecimalRounding(session)) {
            case MAP_TO_NUMBER -> Optional.of(ColumnMapping.objectMapping(NUMBER, numberReadFunction(), numberWriteFunction(), DISABLE_PUSHDOWN));
            case ALLOW_OVERFLOW -> Optional.of(overflowingDecimalMapping(session, scale));
            case STRICT -> Optional.empty();
        };
    }

    // The value that Trino sees is rounded and MySQL's is not, so no comparison may be pushed.
    private static ColumnMapping overflowingDecimalMapping(ConnectorSession session, int scale)
    {
        ColumnMapping mapping = decimalColumnMapping(
                createDecimalType(Decimals.MAX_PRECISION, min(scale, getDecimalDefaultScale(session))),
                getDecimalRoundingMode(session));
        return ColumnMapping.mapping(mapping.getType(), mapping.getReadFunction(), mapping.getWriteFunction(), DISABLE_PUSHDOWN);
    }

    private static ColumnMapping charMapping(int length)
    {
        if (length > CharType.MAX_LENGTH) {
            return varcharMapping(length);
        }
        CharType type = CharType.createCharType(length);
        return ColumnMapping.sliceMapping(type, charReadFunction(type), charWriteFunction(), TEXT_PUSHDOWN);
    }

    private static ColumnMapping varcharMapping(int length)
    {
        VarcharType type = length > VarcharType.MAX_LENGTH ? VarcharType.createUnboundedVarcharType() : VarcharType.createVarcharType(length);
        return ColumnMapping.sliceMapping(type, varcharReadFunction(type), varcharWriteFunction(), TEXT_PUSHDOWN);
    }

    private ColumnMapping jsonMapping()
    {
        return ColumnMapping.sliceMapping(jsonType, (rows, column) -> jsonParse(utf8Slice(rows.getString(column))), varcharWriteFunction(), DISABLE_PUSHDOWN);
    }

    private static ColumnMapping timeMapping(JdbcTypeHandle handle)
    {
        // Only of a query's columns does it report decimal digits, and always none.
        TimeType type = createTimeType(fractionDigits(handle, handle.decimalDigits().isPresent() ? TIME_WIDTH_IN_QUERY : TIME_WIDTH));
        return ColumnMapping.longMapping(type, withNullTestOfText(timeReadFunction(type)), timeWriteFunction(type.getPrecision()));
    }

    private static ColumnMapping dateMapping(InvalidDateHandling invalidDates)
    {
        return ColumnMapping.longMapping(
                DATE,
                new CalendarCell<>(LocalDate.class, invalidDates).asLong(LocalDate::toEpochDay),
                dateWriteFunction(),
                datePushdown(RepresentablePushdown.DATES, invalidDates));
    }

    private static ColumnMapping datetimeMapping(JdbcTypeHandle handle, InvalidDateHandling invalidDates)
    {
        TimestampType type = createTimestampType(fractionDigits(handle, DATETIME_WIDTH));
        return ColumnMapping.longMapping(
                type,
                new CalendarCell<>(LocalDateTime.class, invalidDates).asLong(value -> toTrinoTimestamp(type, value)),
                timestampWriteFunction(type),
                datePushdown(RepresentablePushdown.DATETIMES, invalidDates));
    }

    // Sessions run in UTC, so the local time that MySQL sends is UTC's.
    private static ColumnMapping timestampMapping(JdbcTypeHandle handle, InvalidDateHandling invalidDates)
    {
        TimestampWithTimeZoneType type = createTimestampWithTimeZoneType(fractionDigits(handle, DATETIME_WIDTH));
        CalendarCell<LocalDateTime> cell = new CalendarCell<>(LocalDateTime.class, invalidDates);
        PredicatePushdownController pushdown = datePushdown(RepresentablePushdown.TIMESTAMPS, invalidDates);
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

    private static PredicatePushdownController datePushdown(PredicatePushdownController valid, InvalidDateHandling invalidDates)
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
                return values.readLong(rows, column);
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
}
