package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.FloatCells;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.realWriteFunction;
import static io.trino.spi.type.RealType.REAL;
import static java.lang.Float.floatToRawIntBits;

/** Describes FLOAT, whose text form is rounded. */
final class MysqlFloat
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("FLOAT");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.REAL);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.FLOAT, com.mysql.cj.MysqlType.FLOAT_UNSIGNED);
    }

    @Override
    public String protocolName()
    {
        return "float";
    }

    // Equality with a rounded value means nothing.
    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(ColumnMapping.longMapping(REAL, (rows, column) -> floatToRawIntBits(rows.getFloat(column)), realWriteFunction(), DISABLE_PUSHDOWN));
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof RealType ? Optional.of(WriteMapping.longMapping("float", realWriteFunction())) : Optional.empty();
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return type instanceof RealType ? Optional.of(FloatCells::reals) : Optional.empty();
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return type instanceof RealType && handle.jdbcTypeName().orElse("").equalsIgnoreCase("FLOAT") ? Optional.of(new NativeColumn(NativeLayout.INT32, BatchBlocks::shownFloats)) : Optional.empty();
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.FLOAT.unlessText(type);
    }
}
