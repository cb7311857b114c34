package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.CalendarCells;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.mysqlpq.trino.key.KeyValue;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.DateType;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;

/** Describes DATE. */
final class MysqlDate
        extends MysqlType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("DATE");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.DATE);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.DATE);
    }

    @Override
    public String protocolName()
    {
        return "date";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(CalendarMappings.date(context.invalidDates()));
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof DateType ? Optional.of(WriteMapping.longMapping("date", CalendarMappings.dateWriteFunction())) : Optional.empty();
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return type instanceof DateType ? Optional.of(CalendarCells::dates) : Optional.empty();
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return type instanceof DateType ? Optional.of(new NativeColumn(NativeLayout.INT32, BatchBlocks::dates)) : Optional.empty();
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof DateType;
    }

    @Override
    public boolean mayHoldInvalidDates(Type type)
    {
        return type instanceof DateType;
    }

    @Override
    public Optional<KeyValue> keyValue(JdbcTypeHandle handle, Type type, Object value, int steps)
    {
        return type instanceof DateType ? CalendarKeys.date(LocalDate.ofEpochDay((long) value + steps)) : Optional.empty();
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.CALENDAR.unlessText(type);
    }
}
