package io.mysqlpq.trino.types;

import io.mysqlpq.trino.pushdown.TextCollation;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.ObjectReadFunction;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.sql.ResultSet;
import java.sql.Types;
import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.mysqlpq.trino.types.TypeSessionProperties.typeOptions;
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
import static io.trino.plugin.jdbc.StandardColumnMappings.longDecimalReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.longDecimalWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.numberReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.numberWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.realWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.smallintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.tinyintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.varbinaryReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varbinaryWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varcharWriteFunction;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.NumberType.NUMBER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static java.lang.Float.floatToRawIntBits;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Locale.ENGLISH;

/** Maps MySQL column types, as Connector/J reports them, to Trino types, as the stock connector does by default. */
public final class ReadMappings
{
    private static final PredicatePushdownController TEXT_PUSHDOWN = new TextPushdown();

    private final Type jsonType;

    public ReadMappings(Type jsonType)
    {
        this.jsonType = jsonType;
    }

    public Optional<ColumnMapping> toColumnMapping(ConnectorSession session, JdbcTypeHandle handle)
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
            case "enum" -> Optional.of(varcharMapping(handle));
            case "datetime" -> Optional.of(CalendarMappings.datetime(handle, invalidDates));
            case "year" -> Optional.of(CalendarMappings.year());
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
            case Types.CHAR -> Optional.of(charMapping(handle));
            case Types.VARCHAR, Types.NVARCHAR, Types.LONGVARCHAR, Types.LONGNVARCHAR -> Optional.of(varcharMapping(handle));
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY ->
                Optional.of(varbinaryMapping(FULL_PUSHDOWN));
            case Types.DATE -> Optional.of(CalendarMappings.date(invalidDates));
            case Types.TIME -> Optional.of(CalendarMappings.time(handle));
            case Types.TIMESTAMP -> Optional.of(CalendarMappings.timestamp(handle, invalidDates));
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
        DecimalType type = createDecimalType(Decimals.MAX_PRECISION, min(scale, getDecimalDefaultScale(session)));
        return ColumnMapping.objectMapping(type, explained(type, longDecimalReadFunction(type, getDecimalRoundingMode(session))), longDecimalWriteFunction(type), DISABLE_PUSHDOWN);
    }

    private static ObjectReadFunction explained(DecimalType type, ObjectReadFunction values)
    {
        return ObjectReadFunction.of(Int128.class, (rows, column) -> {
            try {
                return (Int128) values.readObject(rows, column);
            }
            // Digits after the point, or before it, that have no place.
            catch (ArithmeticException | TrinoException e) {
                throw new TrinoException(
                        NUMERIC_VALUE_OUT_OF_RANGE,
                        "Column %s holds %s, which %s cannot hold: %s. Set decimal_mapping to NUMBER, or decimal_rounding_mode and decimal_default_scale to what it may be rounded to".formatted(CellName.of(rows, column), rows.getString(column), type.getDisplayName(), e.getMessage()),
                        e);
            }
        });
    }

    private static ColumnMapping charMapping(JdbcTypeHandle handle)
    {
        if (handle.requiredColumnSize() > CharType.MAX_LENGTH) {
            return varcharMapping(handle);
        }
        CharType type = CharType.createCharType(handle.requiredColumnSize());
        return ColumnMapping.sliceMapping(type, charReadFunction(type), charWriteFunction(), textPushdown(handle));
    }

    private static ColumnMapping varcharMapping(JdbcTypeHandle handle)
    {
        int length = handle.requiredColumnSize();
        VarcharType type = length > VarcharType.MAX_LENGTH ? VarcharType.createUnboundedVarcharType() : VarcharType.createVarcharType(length);
        return ColumnMapping.sliceMapping(type, varcharReadFunction(type), varcharWriteFunction(), textPushdown(handle));
    }

    private static PredicatePushdownController textPushdown(JdbcTypeHandle handle)
    {
        return TextCollation.isTextType(handle) ? TEXT_PUSHDOWN : DISABLE_PUSHDOWN;
    }

    private ColumnMapping jsonMapping()
    {
        return ColumnMapping.sliceMapping(jsonType, (rows, column) -> jsonParse(utf8Slice(rows.getString(column))), varcharWriteFunction(), DISABLE_PUSHDOWN);
    }
}
