package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says how a column is laid out in a column batch, such that it becomes a block by copying. */
public enum NativeLayout
{
    INT8, INT16, INT32, INT64, INT128, BYTES;

    private static final String COLLATE = " COLLATE ";
    private static final List<String> MAY_HOLD_HALVES = ImmutableList.of("UCS2_", "UTF32_");
    private static final int MOST_FRACTION_DIGITS = 6;
    private static final String BIT = "BIT";
    // As it has no sign, and is of whole bytes.
    private static final int MOST_BITS_OF_INT64 = 56;

    /**
     * Empty if cells of the type come by SQL only.
     *
     * <p>The extension refuses a layout that does not hold all values of the column's type.
     */
    public static Optional<NativeLayout> of(JdbcTypeHandle mysqlType, Type type)
    {
        String name = typeName(mysqlType);
        return Optional.ofNullable(switch (type) {
            // A byte without a sign.
            case BooleanType _ when name.equals(BIT) -> INT16;
            case BigintType _ when name.equals(BIT) && mysqlType.columnSize().filter(bits -> bits <= MOST_BITS_OF_INT64).isPresent() -> INT64;
            case DecimalType _ when name.equals(BIT) -> INT128;
            case TinyintType _ when isInteger(name) -> INT8;
            case SmallintType _ when isInteger(name) -> INT16;
            case IntegerType _ when isInteger(name) -> INT32;
            case BigintType _ when isInteger(name) -> INT64;
            case DecimalType decimal when isInteger(name) && decimal.getScale() == 0 && !decimal.isShort() -> INT128;
            case DecimalType decimal when isSame(mysqlType, name, decimal) -> decimal.isShort() ? INT64 : INT128;
            case DoubleType _ when name.startsWith("DOUBLE") -> INT64;
            case RealType _ when name.equals("FLOAT") -> INT32;
            case DateType _ when name.equals("DATE") || name.equals("YEAR") -> INT32;
            case IntegerType _ when name.equals("YEAR") -> INT32;
            case TimeType time when name.equals("TIME") && time.getPrecision() <= MOST_FRACTION_DIGITS -> INT64;
            case TimestampType timestamp when name.equals("DATETIME") && timestamp.getPrecision() <= MOST_FRACTION_DIGITS -> INT64;
            case TimestampWithTimeZoneType instant when name.equals("TIMESTAMP") && instant.getPrecision() <= MOST_FRACTION_DIGITS -> INT64;
            case CharType _ when name.equals("CHAR") || (name.equals("SET") && isText(mysqlType)) -> BYTES;
            case VarcharType _ when name.equals("VARCHAR") || (name.equals("ENUM") && isText(mysqlType)) || name.endsWith("TEXT") -> BYTES;
            case VarbinaryType _ when name.endsWith("BINARY") || name.endsWith("BLOB") -> BYTES;
            default -> null;
        });
    }

    /** As the extension names it. */
    public String protocolName()
    {
        return name().toLowerCase(Locale.ENGLISH);
    }

    // Without the collation that text has there, unless its characters may be halves of others, of which SQL makes something else.
    private static String typeName(JdbcTypeHandle mysqlType)
    {
        String name = mysqlType.jdbcTypeName().orElse("").toUpperCase(Locale.ENGLISH);
        int collation = name.indexOf(COLLATE);
        return collation < 0 || MAY_HOLD_HALVES.stream().anyMatch(charset -> name.startsWith(charset, collation + COLLATE.length())) ? name : name.substring(0, collation);
    }

    // Bytes have no collation.
    private static boolean isText(JdbcTypeHandle mysqlType)
    {
        return mysqlType.jdbcTypeName().orElse("").contains(COLLATE);
    }

    private static boolean isInteger(String name)
    {
        return name.contains("INT");
    }

    // What is rounded, or has more digits than Trino knows, is left to MySQL's text.
    private static boolean isSame(JdbcTypeHandle mysqlType, String name, DecimalType type)
    {
        return name.startsWith("DECIMAL")
                && mysqlType.columnSize().equals(Optional.of(type.getPrecision()))
                && mysqlType.decimalDigits().equals(Optional.of(type.getScale()));
    }
}
