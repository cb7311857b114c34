package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.result.Field;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.cells.PacketDecoder;
import io.mysqlpq.trino.cells.TextCells;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.PredicatePushdownController;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;

import java.sql.Types;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.PredicatePushdownController.FULL_PUSHDOWN;
import static io.trino.plugin.jdbc.StandardColumnMappings.varbinaryReadFunction;
import static io.trino.plugin.jdbc.StandardColumnMappings.varbinaryWriteFunction;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static java.util.Locale.ENGLISH;

/** Describes BINARY, VARBINARY and the BLOB types. */
final class MysqlBytes
        extends MysqlType
{
    private static final Set<com.mysql.cj.MysqlType> SENT = ImmutableSet.of(
            com.mysql.cj.MysqlType.BINARY,
            com.mysql.cj.MysqlType.VARBINARY,
            com.mysql.cj.MysqlType.TINYBLOB,
            com.mysql.cj.MysqlType.BLOB,
            com.mysql.cj.MysqlType.MEDIUMBLOB,
            com.mysql.cj.MysqlType.LONGBLOB);

    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("BINARY", "VARBINARY", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB");
    }

    @Override
    Set<Integer> jdbcTypes()
    {
        return ImmutableSet.of(Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY);
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return SENT;
    }

    @Override
    public String protocolName()
    {
        return "bytes";
    }

    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(mapping(FULL_PUSHDOWN));
    }

    static ColumnMapping mapping(PredicatePushdownController pushdown)
    {
        return ColumnMapping.sliceMapping(VARBINARY, varbinaryReadFunction(), varbinaryWriteFunction(), pushdown);
    }

    @Override
    Optional<WriteMapping> writeMapping(Type type)
    {
        return type instanceof VarbinaryType ? Optional.of(WriteMapping.sliceMapping("mediumblob", varbinaryWriteFunction())) : Optional.empty();
    }

    @Override
    public Optional<PacketDecoder> packetDecoder(Field field, Type type)
    {
        return type instanceof VarbinaryType && SENT.contains(field.getMysqlType()) ? Optional.of(TextCells::bytes) : Optional.empty();
    }

    @Override
    public Optional<NativeColumn> nativeColumn(JdbcTypeHandle handle, Type type)
    {
        return type instanceof VarbinaryType ? Optional.of(new NativeColumn(NativeLayout.BYTES, BatchBlocks::binaries)) : Optional.empty();
    }

    @Override
    public boolean isInRecord(JdbcTypeHandle handle)
    {
        String name = handle.jdbcTypeName().orElse("").toUpperCase(ENGLISH);
        return name.startsWith("TINY") || !name.endsWith("BLOB");
    }

    // MySQL sorts a BLOB by a prefix.
    @Override
    public boolean isComparedAlike(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof VarbinaryType && column.getJdbcTypeHandle().jdbcTypeName().orElse("").toUpperCase(ENGLISH).endsWith("BINARY");
    }

    @Override
    public Optional<ReturnedValue> returnedValue(JdbcTypeHandle handle, Type type)
    {
        return type.equals(VARBINARY) ? Optional.of(ReturnedValue.BYTES) : Optional.empty();
    }
}
