package io.mysqlpq.trino.rows;

import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Says how a column is asked for in a column batch, and how it becomes a block.
 *
 * <p>The extension refuses a layout that does not hold all values of the column's type.
 *
 * @param layout as the extension names it
 */
public record NativeColumn(String layout, BatchDecoder decoder)
{
    private static final int MOST_FRACTION_DIGITS = 6;

    public NativeColumn
    {
        requireNonNull(layout, "layout is null");
        requireNonNull(decoder, "decoder is null");
    }

    /** Empty if cells of the type come by SQL only. */
    public static Optional<NativeColumn> of(JdbcTypeHandle mysqlType, Type type)
    {
        String name = typeName(mysqlType);
        return Optional.ofNullable(switch (type) {
            case TinyintType _ when isInteger(name) -> new NativeColumn("int8", BatchBlocks::bytes);
            case SmallintType _ when isInteger(name) -> new NativeColumn("int16", BatchBlocks::shorts);
            case IntegerType _ when isInteger(name) -> new NativeColumn("int32", BatchBlocks::ints);
            case BigintType _ when isInteger(name) -> new NativeColumn("int64", BatchBlocks::longs);
            case DecimalType decimal when isInteger(name) && decimal.getScale() == 0 && !decimal.isShort() -> new NativeColumn("int128", BatchBlocks::longDecimals);
            case DecimalType decimal when isSame(mysqlType, name, decimal) -> decimal.isShort() ? new NativeColumn("int64", BatchBlocks::longs) : new NativeColumn("int128", BatchBlocks::longDecimals);
            case DoubleType _ when name.startsWith("DOUBLE") -> new NativeColumn("int64", BatchBlocks::longs);
            case DateType _ when name.equals("DATE") -> new NativeColumn("int32", BatchBlocks::dates);
            case TimestampType timestamp when name.equals("DATETIME") && timestamp.getPrecision() <= MOST_FRACTION_DIGITS -> new NativeColumn("int64", BatchBlocks::timestamps);
            case TimestampWithTimeZoneType instant when name.equals("TIMESTAMP") && instant.getPrecision() <= MOST_FRACTION_DIGITS ->
                new NativeColumn("int64", instant.isShort() ? BatchBlocks::shortInstants : BatchBlocks::longInstants);
            case CharType _ when name.equals("CHAR") -> new NativeColumn("bytes", BatchBlocks::texts);
            case VarcharType _ when isText(name) -> new NativeColumn("bytes", BatchBlocks::texts);
            case VarbinaryType _ when name.endsWith("BINARY") || name.endsWith("BLOB") -> new NativeColumn("bytes", BatchBlocks::texts);
            default -> null;
        });
    }

    // Without the collation that text has there.
    private static String typeName(JdbcTypeHandle mysqlType)
    {
        String name = mysqlType.jdbcTypeName().orElse("").toUpperCase(Locale.ENGLISH);
        int collation = name.indexOf(" COLLATE ");
        return collation < 0 ? name : name.substring(0, collation);
    }

    private static boolean isInteger(String name)
    {
        return name.contains("INT");
    }

    private static boolean isText(String name)
    {
        return name.equals("VARCHAR") || name.endsWith("TEXT");
    }

    // What is rounded, or has more digits than Trino knows, is left to MySQL's text.
    private static boolean isSame(JdbcTypeHandle mysqlType, String name, DecimalType type)
    {
        return name.startsWith("DECIMAL")
                && mysqlType.columnSize().equals(Optional.of(type.getPrecision()))
                && mysqlType.decimalDigits().equals(Optional.of(type.getScale()));
    }
}
