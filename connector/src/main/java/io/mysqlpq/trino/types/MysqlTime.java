package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
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
import java.util.OptionalInt;
import java.util.Set;

/** Describes TIME. */
final class MysqlTime
        extends FractionalSecondsType
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
    OptionalInt precision(Type type)
    {
        return type instanceof TimeType timed ? OptionalInt.of(timed.getPrecision()) : OptionalInt.empty();
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
