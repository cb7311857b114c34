package io.mysqlpq.trino.types;

import com.mysql.cj.result.Field;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.Type;

import java.util.OptionalInt;

/** Describes a type of times, whose seconds have up to six digits after the point. */
abstract class FractionalSecondsType
        extends MysqlType
{
    /** The digits of the seconds in Trino's type. Empty if Trino has the type as something else, such as text. */
    abstract OptionalInt precision(Type type);

    @Override
    final CellType cellType(JdbcTypeHandle handle, Type type)
    {
        return new CellType(this, 0, precision(type).orElse(CellType.ANY_SCALE));
    }

    @Override
    final CellType cellType(Field field)
    {
        return new CellType(this, 0, field.getDecimals());
    }

    @Override
    final boolean isReadFrom(CellType received, CellType planned)
    {
        return received.type().equals(this) && received.hasScaleWithin(planned);
    }

    @Override
    final String describe(String name, CellType type)
    {
        return type.scale() <= 0 ? name : "%s(%d)".formatted(name, type.scale());
    }

    @Override
    final String parameters(CellType type)
    {
        return "(%d)".formatted(type.scale());
    }
}
