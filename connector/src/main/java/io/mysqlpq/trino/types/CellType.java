package io.mysqlpq.trino.types;

import com.mysql.cj.result.Field;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.Type;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Holds what a reader has to know of a MySQL type to get the values of its cells right.
 *
 * <p>Two types that differ only in how many numbers or characters fit have the same cell type: a decoder notices a value that is too large.
 *
 * @param length bits of BIT, digits of DECIMAL; otherwise 0
 * @param scale digits after the point of a DECIMAL or of the seconds; otherwise 0
 */
public record CellType(MysqlType type, int length, int scale)
{
    /** A scale that changes no value that is read, because the cell is read as text. */
    public static final int ANY_SCALE = -1;

    public CellType
    {
        requireNonNull(type, "type is null");
    }

    static CellType of(MysqlType type)
    {
        return new CellType(type, 0, 0);
    }

    /** Describes a column that a query was planned on. Empty if the type has no name, or one that is not known here. */
    public static Optional<CellType> of(JdbcTypeHandle handle, Type type)
    {
        return MysqlTypes.named(handle).map(mysqlType -> mysqlType.cellType(handle, type));
    }

    /** Describes a column that MySQL sends. Empty if the driver knows the type no better than that it is there. */
    public static Optional<CellType> of(Field field)
    {
        return MysqlTypes.of(field).map(mysqlType -> mysqlType.cellType(field));
    }

    /** Whether a reader who takes cells of this type for cells of the planned one gets the same values, or notices that one is too large. */
    public boolean isReadAs(CellType planned)
    {
        return type.equals(MysqlTypes.NULL) || planned.type.isReadFrom(this, planned);
    }

    /** Whether a value of this type that is written to a column of the other one stays what it is, or MySQL refuses it. */
    public boolean isKeptIn(CellType column)
    {
        return type.equals(MysqlTypes.NULL) || column.type.keeps(this, column);
    }

    boolean hasScaleWithin(CellType other)
    {
        return other.scale == ANY_SCALE || scale <= other.scale;
    }

    /** The type as an error names it. */
    public String describe(String name)
    {
        return type.describe(name, this);
    }

    /** The type as the extension names it. */
    @Override
    public String toString()
    {
        return type.protocolName() + type.parameters(this);
    }
}
