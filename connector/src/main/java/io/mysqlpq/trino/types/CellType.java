package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;

import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Says what of a MySQL type a reader has to know to get the values of its cells right.
 *
 * <p>Two types that differ only in how many numbers or characters fit have the same cell type: a decoder notices a value that is too large.
 *
 * @param length bits of BIT, digits of DECIMAL; otherwise 0
 * @param scale digits after the point of a DECIMAL or of the seconds; otherwise 0
 */
public record CellType(Kind kind, int length, int scale)
{
    /** A scale that changes no value that is read, because the cell is read as text. */
    public static final int ANY_SCALE = -1;

    public enum Kind
    {
        INTEGER, BIT, DECIMAL, FLOAT, DOUBLE, DATE, YEAR, TIME, DATETIME, TIMESTAMP, TEXT, SET, BYTES, JSON, GEOMETRY, VECTOR, NULL;

        private boolean hasLength()
        {
            return this == BIT || this == DECIMAL;
        }

        private boolean hasScale()
        {
            return this == DECIMAL || isTimed();
        }

        private boolean isTimed()
        {
            return this == TIME || this == DATETIME || this == TIMESTAMP;
        }
    }

    public CellType
    {
        requireNonNull(kind, "kind is null");
    }

    public static CellType of(Kind kind)
    {
        return new CellType(kind, 0, 0);
    }

    /** Returns the type of a column that a query was planned on. Empty if the type has no name, or one that is not known here. */
    public static Optional<CellType> of(JdbcTypeHandle handle, Type type)
    {
        return kind(handle.jdbcTypeName().orElse("").toUpperCase(Locale.ENGLISH), type)
                .map(kind -> new CellType(kind, kind.hasLength() ? handle.columnSize().orElse(0) : 0, scale(kind, handle, type)));
    }

    private static Optional<Kind> kind(String name, Type type)
    {
        // Words may follow: UNSIGNED, or a collation.
        String first = name.contains(" ") ? name.substring(0, name.indexOf(' ')) : name;
        return Optional.ofNullable(switch (first) {
            case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER", "BIGINT" -> Kind.INTEGER;
            case "BIT" -> Kind.BIT;
            case "DECIMAL", "NUMERIC" -> Kind.DECIMAL;
            case "FLOAT" -> Kind.FLOAT;
            case "DOUBLE" -> Kind.DOUBLE;
            case "DATE" -> Kind.DATE;
            case "YEAR" -> Kind.YEAR;
            case "TIME" -> Kind.TIME;
            case "DATETIME" -> Kind.DATETIME;
            case "TIMESTAMP" -> Kind.TIMESTAMP;
            case "CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "ENUM" -> Kind.TEXT;
            case "SET" -> type instanceof ArrayType ? Kind.SET : Kind.TEXT;
            case "BINARY", "VARBINARY", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB" -> Kind.BYTES;
            case "JSON" -> Kind.JSON;
            case "GEOMETRY" -> Kind.GEOMETRY;
            case "VECTOR" -> Kind.VECTOR;
            default -> null;
        });
    }

    private static int scale(Kind kind, JdbcTypeHandle handle, Type type)
    {
        if (kind == Kind.DECIMAL) {
            return handle.decimalDigits().orElse(ANY_SCALE);
        }
        if (!kind.isTimed()) {
            return 0;
        }
        return switch (type) {
            case TimeType time -> time.getPrecision();
            case TimestampType timestamp -> timestamp.getPrecision();
            case TimestampWithTimeZoneType instant -> instant.getPrecision();
            default -> ANY_SCALE;
        };
    }

    /** Whether a reader who takes cells of this type for cells of the planned one gets the same values, or notices that one is too large. */
    public boolean isReadAs(CellType planned)
    {
        return switch (planned.kind) {
            case INTEGER -> kind == Kind.NULL || kind == Kind.INTEGER || (kind == Kind.DECIMAL && scale == 0);
            case DECIMAL -> kind == Kind.NULL || kind == Kind.INTEGER || (kind == Kind.DECIMAL && hasScaleWithin(planned));
            case TEXT -> kind == Kind.NULL || kind == Kind.TEXT || kind == Kind.SET;
            case TIME, DATETIME, TIMESTAMP -> kind == Kind.NULL || (kind == planned.kind && hasScaleWithin(planned));
            case BIT -> kind == Kind.NULL || (kind == Kind.BIT && length <= planned.length);
            default -> kind == Kind.NULL || kind == planned.kind;
        };
    }

    /** Whether a value of this type that is written to a column of the other one stays what it is, or MySQL refuses it. */
    public boolean isKeptIn(CellType column)
    {
        return column.kind == Kind.SET ? kind == Kind.SET || kind == Kind.TEXT : isReadAs(column);
    }

    private boolean hasScaleWithin(CellType other)
    {
        return other.scale == ANY_SCALE || scale <= other.scale;
    }

    /** As the extension writes it. */
    @Override
    public String toString()
    {
        String name = kind.name().toLowerCase(Locale.ENGLISH);
        if (kind == Kind.DECIMAL) {
            return "%s(%d,%d)".formatted(name, length, scale);
        }
        return kind.hasLength() || kind.hasScale() ? "%s(%d)".formatted(name, kind.hasLength() ? length : scale) : name;
    }
}
