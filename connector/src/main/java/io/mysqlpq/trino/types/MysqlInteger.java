package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.DecimalCells;
import io.mysqlpq.trino.cells.IntegerCells;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.StandardColumnMappings.bigintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.bigintWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.booleanWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.decimalColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.integerColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.integerWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.smallintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.smallintWriteFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.tinyintColumnMapping;
import static io.trino.plugin.jdbc.StandardColumnMappings.tinyintWriteFunction;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static java.util.Locale.ENGLISH;

/** Describes TINYINT, SMALLINT, MEDIUMINT, INT and BIGINT, signed and unsigned. */
final class MysqlInteger
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER", "BIGINT");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.TINYINT, com.mysql.cj.MysqlType.TINYINT_UNSIGNED, com.mysql.cj.MysqlType.SMALLINT, com.mysql.cj.MysqlType.SMALLINT_UNSIGNED, com.mysql.cj.MysqlType.MEDIUMINT, com.mysql.cj.MysqlType.MEDIUMINT_UNSIGNED, com.mysql.cj.MysqlType.INT, com.mysql.cj.MysqlType.INT_UNSIGNED, com.mysql.cj.MysqlType.BIGINT, com.mysql.cj.MysqlType.BIGINT_UNSIGNED, com.mysql.cj.MysqlType.BOOLEAN);
    }

    @Override
    public String protocolName()
    {
        return "integer";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return switch (handle.jdbcTypeName().orElse("").toLowerCase(ENGLISH)) {
            case "tinyint unsigned" -> Optional.of(smallintColumnMapping());
            case "smallint unsigned" -> Optional.of(integerColumnMapping());
            case "int unsigned" -> Optional.of(bigintColumnMapping());
            case "bigint unsigned" -> Optional.of(decimalColumnMapping(createDecimalType(20)));
            default -> switch (handle.jdbcType()) {
                case Types.TINYINT -> Optional.of(tinyintColumnMapping());
                case Types.SMALLINT -> Optional.of(smallintColumnMapping());
                case Types.INTEGER -> Optional.of(integerColumnMapping());
                case Types.BIGINT -> Optional.of(bigintColumnMapping());
                default -> Optional.empty();
            };
        };
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return Optional.ofNullable(switch (type) {
            case BooleanType _ -> WriteMapping.booleanMapping("boolean", booleanWriteFunction());
            case TinyintType _ -> WriteMapping.longMapping("tinyint", tinyintWriteFunction());
            case SmallintType _ -> WriteMapping.longMapping("smallint", smallintWriteFunction());
            case io.trino.spi.type.IntegerType _ -> WriteMapping.longMapping("integer", integerWriteFunction());
            case BigintType _ -> WriteMapping.longMapping("bigint", bigintWriteFunction());
            default -> null;
        });
    }

    @Override
    boolean isReadFrom(CellType received, CellType planned)
    {
        return received.type().equals(this) || (received.type().equals(MysqlTypes.DECIMAL) && received.scale() == 0);
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return Optional.ofNullable(switch (type) {
            case TinyintType _ -> IntegerCells::tinyints;
            case SmallintType _ -> IntegerCells::smallints;
            case io.trino.spi.type.IntegerType _ -> IntegerCells::integers;
            case BigintType _ -> IntegerCells::bigints;
            case DecimalType decimal -> DecimalCells.decoder(decimal);
            default -> null;
        });
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return Optional.ofNullable(switch (type) {
            case TinyintType _ -> new NativeColumn(NativeLayout.INT8, BatchBlocks::bytes);
            case SmallintType _ -> new NativeColumn(NativeLayout.INT16, BatchBlocks::shorts);
            case io.trino.spi.type.IntegerType _ -> new NativeColumn(NativeLayout.INT32, BatchBlocks::ints);
            case BigintType _ -> new NativeColumn(NativeLayout.INT64, BatchBlocks::longs);
            case DecimalType decimal when decimal.getScale() == 0 && !decimal.isShort() -> new NativeColumn(NativeLayout.INT128, BatchBlocks::longDecimals);
            default -> null;
        });
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return switch (column.getColumnType()) {
            case TinyintType _,SmallintType _,io.trino.spi.type.IntegerType _,BigintType _ -> true;
            case DecimalType _ -> isExactKey(column.getJdbcTypeHandle(), column.getColumnType());
            default -> false;
        };
    }

    @Override
    public boolean isAddedAlike(JdbcColumnHandle column)
    {
        return (column.getColumnType() instanceof BigintType || column.getColumnType() instanceof DecimalType) && isComparedAlike(column);
    }

    @Override
    public Optional<IntegerDomain> integers(JdbcTypeHandle handle)
    {
        return switch (handle.jdbcTypeName().orElse("").toLowerCase(ENGLISH)) {
            case "tinyint" -> Optional.of(IntegerDomain.signed(8));
            case "tinyint unsigned" -> Optional.of(IntegerDomain.unsigned(8));
            case "smallint" -> Optional.of(IntegerDomain.signed(16));
            case "smallint unsigned" -> Optional.of(IntegerDomain.unsigned(16));
            case "mediumint" -> Optional.of(IntegerDomain.signed(24));
            case "mediumint unsigned" -> Optional.of(IntegerDomain.unsigned(24));
            case "int" -> Optional.of(IntegerDomain.signed(32));
            case "int unsigned" -> Optional.of(IntegerDomain.unsigned(32));
            case "bigint" -> Optional.of(IntegerDomain.signed(64));
            case "bigint unsigned" -> Optional.of(IntegerDomain.unsigned(64));
            default -> Optional.empty();
        };
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.VALUE.unlessText(type);
    }
}
