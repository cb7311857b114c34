package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.DecimalCells;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.mysqlpq.trino.key.DecimalKeyValue;
import io.mysqlpq.trino.key.KeyValue;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.ObjectReadFunction;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.getDecimalDefaultScale;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.getDecimalRounding;
import static io.trino.plugin.jdbc.DecimalSessionSessionProperties.getDecimalRoundingMode;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.decimalColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.longDecimalReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.longDecimalWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.numberReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.numberWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.shortDecimalWriteFunction;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.NumberType.NUMBER;
import static java.lang.Math.max;
import static java.lang.Math.min;

/** Describes DECIMAL. What has more digits than Trino knows is a NUMBER, rounded or hidden, as the session has it. */
final class MysqlDecimal
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("DECIMAL", "NUMERIC");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.NUMERIC, Types.DECIMAL);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.DECIMAL, com.mysql.cj.MysqlType.DECIMAL_UNSIGNED);
    }

    @Override
    public String protocolName()
    {
        return "decimal";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return decimalMapping(context.session(), handle);
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
                        "Column %s holds %s, which does not fit into %s: %s. Set decimal_mapping to MAP_TO_NUMBER, or allow rounding with decimal_rounding_mode and decimal_default_scale".formatted(CellName.of(rows, column), rows.getString(column), type.getDisplayName(), e.getMessage()),
                        e);
            }
        });
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof DecimalType decimal ? Optional.of(decimalWriteMapping(decimal)) : Optional.empty();
    }

    private static WriteMapping decimalWriteMapping(DecimalType type)
    {
        String name = "decimal(%d, %d)".formatted(type.getPrecision(), type.getScale());
        if (type.isShort()) {
            return WriteMapping.longMapping(name, shortDecimalWriteFunction(type));
        }
        return WriteMapping.objectMapping(name, longDecimalWriteFunction(type));
    }

    @Override
    CellType cellType(JdbcTypeHandle handle, Type type)
    {
        return new CellType(this, handle.columnSize().orElse(0), handle.decimalDigits().orElse(CellType.ANY_SCALE));
    }

    @Override
    CellType cellType(Field field)
    {
        return new CellType(this, 0, field.getDecimals());
    }

    @Override
    boolean isReadFrom(CellType received, CellType planned)
    {
        return received.type().equals(MysqlTypes.INTEGER) || (received.type().equals(this) && received.hasScaleWithin(planned));
    }

    @Override
    String describe(String name, CellType type)
    {
        return type.scale() == CellType.ANY_SCALE ? name : "%s with %d digits after the point".formatted(name, type.scale());
    }

    @Override
    String parameters(CellType type)
    {
        return "(%d,%d)".formatted(type.length(), type.scale());
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return type instanceof DecimalType decimal ? Optional.of(DecimalCells.decoder(decimal)) : Optional.empty();
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        if (!(type instanceof DecimalType decimal) || !isSame(handle, decimal)) {
            return Optional.empty();
        }
        return Optional.of(decimal.isShort() ? new NativeColumn(NativeLayout.INT64, BatchBlocks::longs) : new NativeColumn(NativeLayout.INT128, BatchBlocks::longDecimals));
    }

    // Values that are rounded, or have more digits than Trino knows, are read from MySQL's text.
    private static boolean isSame(JdbcTypeHandle handle, DecimalType type)
    {
        return handle.columnSize().equals(Optional.of(type.getPrecision())) && handle.decimalDigits().equals(Optional.of(type.getScale()));
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof DecimalType && isExactKey(column.getJdbcTypeHandle(), column.getColumnType());
    }

    @Override
    public boolean isAddedAlike(JdbcColumnHandle column)
    {
        return isComparedAlike(column);
    }

    @Override
    public Optional<KeyValue> keyValue(JdbcTypeHandle handle, Type type, Object value, int steps)
    {
        if (!(type instanceof DecimalType decimal) || !isSame(handle, decimal) || !handle.jdbcTypeName().orElse("").equalsIgnoreCase("decimal")) {
            return Optional.empty();
        }
        BigInteger unscaled = value instanceof Int128 wide ? wide.toBigInteger() : BigInteger.valueOf((long) value);
        BigDecimal number = new BigDecimal(unscaled.add(BigInteger.valueOf(steps)), decimal.getScale());
        return number.precision() <= decimal.getPrecision() ? Optional.of(new DecimalKeyValue(number.toPlainString())) : Optional.empty();
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return type instanceof DecimalType && isExactKey(handle, type) ? Optional.of(ReturnedValue.VALUE) : Optional.empty();
    }
}
