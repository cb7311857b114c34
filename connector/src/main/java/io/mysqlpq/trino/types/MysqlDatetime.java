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
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.Type;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Describes DATETIME. */
final class MysqlDatetime
        extends FractionalSecondsType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("DATETIME");
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.DATETIME);
    }

    @Override
    public String protocolName()
    {
        return "datetime";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(CalendarMappings.datetime(handle, context.invalidDates()));
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof TimestampType timestamp ? Optional.of(CalendarMappings.datetimeWriteMapping(timestamp)) : Optional.empty();
    }

    @Override
    OptionalInt precision(Type type)
    {
        return type instanceof TimestampType timed ? OptionalInt.of(timed.getPrecision()) : OptionalInt.empty();
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return type instanceof TimestampType timestamp ? Optional.of(CalendarCells.timestamps(timestamp.getPrecision())) : Optional.empty();
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return type instanceof TimestampType timestamp && timestamp.getPrecision() <= CalendarMappings.MAX_FRACTION_DIGITS ? Optional.of(new NativeColumn(NativeLayout.INT64, BatchBlocks::timestamps)) : Optional.empty();
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof TimestampType;
    }

    @Override
    public boolean mayHoldInvalidDates(Type type)
    {
        return type instanceof TimestampType;
    }

    @Override
    public Optional<KeyValue> keyValue(JdbcTypeHandle handle, Type type, Object value, int steps)
    {
        return type instanceof TimestampType timestamp && timestamp.isShort() ? CalendarKeys.datetime((long) value + steps * CalendarKeys.microsOfStep(timestamp.getPrecision()), timestamp.getPrecision()) : Optional.empty();
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.CALENDAR.unlessText(type);
    }
}
