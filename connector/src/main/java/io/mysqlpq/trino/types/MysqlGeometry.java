package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.SliceWriteFunction;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.spi.type.VarbinaryType.VARBINARY;

/**
 * Describes the GEOMETRY types. They are MySQL's own bytes, as the stock connector has it; to sessions with extended types they are
 * well-known binary (WKB), which Trino's ST_GeomFromBinary reads.
 *
 * <p>MySQL sends four bytes for the spatial reference system and then WKB, with longitudes before latitudes. WKB names
 * no reference system: values are written as MySQL's ST_GeomFromWKB makes them of WKB alone, in none (SRID 0).
 */
final class MysqlGeometry
        extends MysqlType
{
    private static final int SRID_BYTES = 4;

    @Override
    public Set<String> names()
    {
        return ImmutableSet.of("GEOMETRY");
    }

    @Override
    public Set<com.mysql.cj.MysqlType> driverTypes()
    {
        return ImmutableSet.of(com.mysql.cj.MysqlType.GEOMETRY);
    }

    @Override
    public String protocolName()
    {
        return "geometry";
    }

    // MySQL compares shapes where Trino compares bytes.
    @Override
    Optional<ColumnMapping> columnMapping(JdbcTypeHandle handle, MappingContext context)
    {
        return Optional.of(MysqlBytes.mapping(DISABLE_PUSHDOWN));
    }

    @Override
    Optional<ColumnMapping> extendedMapping(JdbcTypeHandle handle)
    {
        return Optional.of(wellKnownBinary());
    }

    // MySQL compares shapes where Trino compares bytes.
    private static ColumnMapping wellKnownBinary()
    {
        return ColumnMapping.sliceMapping(VARBINARY, (rows, column) -> withoutSrid(rows.getBytes(column)), new WriteFunction(), DISABLE_PUSHDOWN);
    }

    private static Slice withoutSrid(byte[] value)
    {
        return Slices.wrappedBuffer(value, SRID_BYTES, value.length - SRID_BYTES);
    }

    @Override
    public boolean isDecodedByItsMapping()
    {
        return true;
    }

    private static final class WriteFunction
            implements SliceWriteFunction
    {
        @Override
        public String getBindExpression()
        {
            return "ST_GeomFromWKB(?)";
        }

        @Override
        public void set(PreparedStatement statement, int index, Slice wkb)
                throws SQLException
        {
            statement.setBytes(index, wkb.getBytes());
        }
    }
}
