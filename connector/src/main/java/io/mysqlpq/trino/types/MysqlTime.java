package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.NativeLayout;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.Optional;
import java.util.Set;

/** Describes TIME. */
final class MysqlTime
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("TIME");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.TIME);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.TIME);
    }

    @Override
    public String protocolName()
    {
        return "time";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(CalendarMappings.time(handle));
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof TimeType time ? Optional.of(CalendarMappings.timeWriteMapping(time)) : Optional.empty();
    }

    @Override
    CellType cellType(JdbcTypeHandle handle, Type type)
    {
        return new CellType(this, 0, type instanceof TimeType timed ? timed.getPrecision() : CellType.ANY_SCALE);
    }

    @Override
    CellType cellType(Field field)
    {
        return new CellType(this, 0, field.getDecimals());
    }

    @Override
    boolean isReadFrom(CellType received, CellType planned)
    {
        return received.type().equals(this) && received.hasScaleWithin(planned);
    }

    @Override
    String describe(String name, CellType type)
    {
        return type.scale() <= 0 ? name : "%s(%d)".formatted(name, type.scale());
    }

    @Override
    String parameters(CellType type)
    {
        return "(%d)".formatted(type.scale());
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return type instanceof TimeType time && time.getPrecision() <= CalendarMappings.MAX_FRACTION_DIGITS ? Optional.of(new NativeColumn(NativeLayout.INT64, BatchBlocks::times)) : Optional.empty();
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof TimeType;
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.VALUE.unlessText(type);
    }
}
