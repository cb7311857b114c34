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
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Describes TIMESTAMP. Sessions run in UTC. */
final class MysqlTimestamp
        extends FractionalSecondsType
{
    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("TIMESTAMP");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.TIMESTAMP);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.TIMESTAMP);
    }

    @Override
    public String protocolName()
    {
        return "timestamp";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(CalendarMappings.timestamp(handle, context.invalidDates()));
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof TimestampWithTimeZoneType instant ? Optional.of(CalendarMappings.timestampWriteMapping(instant)) : Optional.empty();
    }

    @Override
    OptionalInt precision(Type type)
    {
        return type instanceof TimestampWithTimeZoneType timed ? OptionalInt.of(timed.getPrecision()) : OptionalInt.empty();
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        if (!(type instanceof TimestampWithTimeZoneType instant)) {
            return Optional.empty();
        }
        return Optional.of(instant.isShort() ? CalendarCells.shortInstants(instant.getPrecision()) : CalendarCells.longInstants(instant.getPrecision()));
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        if (!(type instanceof TimestampWithTimeZoneType instant) || instant.getPrecision() > CalendarMappings.MAX_FRACTION_DIGITS) {
            return Optional.empty();
        }
        return Optional.of(new NativeColumn(NativeLayout.INT64, instant.isShort() ? BatchBlocks::shortInstants : BatchBlocks::longInstants));
    }

    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof TimestampWithTimeZoneType;
    }

    @Override
    public boolean mayHoldInvalidDates(Type type)
    {
        return type instanceof TimestampWithTimeZoneType;
    }

    @Override
    public Optional<KeyValue> keyValue(JdbcTypeHandle handle, Type type, Object value, int steps)
    {
        return type instanceof TimestampWithTimeZoneType instant && instant.getPrecision() <= CalendarMappings.MAX_FRACTION_DIGITS ? CalendarKeys.timestamp(value, steps, instant.getPrecision()) : Optional.empty();
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return ReturnedValue.CALENDAR.unlessText(type);
    }
}
