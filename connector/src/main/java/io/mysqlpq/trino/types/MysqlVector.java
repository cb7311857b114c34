package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.ObjectReadFunction;
import io.trino.plugin.jdbc.ObjectWriteFunction;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.ArrayType;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.type.RealType.REAL;
import static java.lang.Float.floatToRawIntBits;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Describes VECTOR, which MySQL sends as 4-byte little-endian floats. It is these bytes, as the stock connector has it; to sessions with extended types it is an array of real. */
final class MysqlVector
        extends MysqlType
{
    private static final ArrayType TYPE = new ArrayType(REAL);

    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("VECTOR");
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.VECTOR);
    }

    @Override
    public String protocolName()
    {
        return "vector";
    }

    // MySQL refuses to compare it.
    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(MysqlBytes.mapping(DISABLE_PUSHDOWN));
    }

    @Override
    Optional<ColumnMapping> extendedMapping(JdbcTypeHandle handle)
    {
        return Optional.of(array());
    }

    private static ColumnMapping array()
    {
        return ColumnMapping.objectMapping(
                TYPE,
                ObjectReadFunction.of(Block.class, (rows, column) -> entries(rows.getBytes(column))),
                ObjectWriteFunction.of(Block.class, (statement, index, entries) -> statement.setBytes(index, bytes(entries))),
                DISABLE_PUSHDOWN);
    }

    private static Block entries(byte[] bytes)
    {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN);
        BlockBuilder block = REAL.createBlockBuilder(null, bytes.length / Float.BYTES);
        while (buffer.hasRemaining()) {
            REAL.writeLong(block, floatToRawIntBits(buffer.getFloat()));
        }
        return block.build();
    }

    private static byte[] bytes(Block entries)
    {
        ByteBuffer buffer = ByteBuffer.allocate(entries.getPositionCount() * Float.BYTES).order(LITTLE_ENDIAN);
        for (int position = 0; position < entries.getPositionCount(); position++) {
            if (entries.isNull(position)) {
                throw new TrinoException(CONSTRAINT_VIOLATION, "A value of MySQL's VECTOR cannot contain NULL, but entry %d is NULL".formatted(position + 1));
            }
            buffer.putFloat(REAL.getFloat(entries, position));
        }
        return buffer.array();
    }
}
