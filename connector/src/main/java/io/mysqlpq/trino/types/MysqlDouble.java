package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.FloatCells;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Type;

import java.sql.ResultSet;
import java.sql.Types;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.StandardColumnMappings.doubleWriteFunction;
import static io.trino.spi.type.DoubleType.DOUBLE;

/** Describes DOUBLE. */
final class MysqlDouble
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("DOUBLE");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.DOUBLE);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.DOUBLE, com.mysql.cj.MysqlType.DOUBLE_UNSIGNED);
    }

    @Override
    public String protocolName()
    {
        return "double";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(ColumnMapping.doubleMapping(DOUBLE, ResultSet::getDouble, doubleWriteFunction(), RepresentablePushdown.DOUBLES));
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof DoubleType ? Optional.of(WriteMapping.doubleMapping("double precision", doubleWriteFunction())) : Optional.empty();
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return type instanceof DoubleType ? Optional.of(FloatCells::doubles) : Optional.empty();
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return type instanceof DoubleType ? Optional.of(new NativeColumn(NativeLayout.INT64, BatchBlocks::longs)) : Optional.empty();
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof DoubleType;
    }

    @Override
    public boolean isAddedAlike(JdbcColumnHandle column)
    {
        return isComparedAlike(column);
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.VALUE.unlessText(type);
    }
}
