package io.mysqlpq.trino.types;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.SliceWriteFunction;

import java.sql.PreparedStatement;
import java.sql.SQLException;

import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.spi.type.VarbinaryType.VARBINARY;

/**
 * Maps the GEOMETRY types to well-known binary (WKB), which Trino's ST_GeomFromBinary reads.
 *
 * <p>MySQL sends four bytes for the spatial reference system and then WKB, with longitudes before latitudes. WKB names
 * no reference system: values are written as MySQL's ST_GeomFromWKB makes them of WKB alone, in none (SRID 0).
 */
final class GeometryMapping
{
    private static final int SRID_BYTES = 4;

    private GeometryMapping()
    {}

    // MySQL compares shapes where Trino compares bytes.
    static ColumnMapping columnMapping()
    {
        return ColumnMapping.sliceMapping(VARBINARY, (rows, column) -> withoutSrid(rows.getBytes(column)), new WriteFunction(), DISABLE_PUSHDOWN);
    }

    private static Slice withoutSrid(byte[] value)
    {
        return Slices.wrappedBuffer(value, SRID_BYTES, value.length - SRID_BYTES);
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
