package io.mysqlpq.trino.rows;

import com.google.common.base.CharMatcher;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.mysqlpq.trino.cells.DriverDecoder;
import io.mysqlpq.trino.types.CalendarLong;
import io.mysqlpq.trino.types.MysqlTypes;
import io.trino.plugin.jdbc.BooleanReadFunction;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.DoubleReadFunction;
import io.trino.plugin.jdbc.LongReadFunction;
import io.trino.plugin.jdbc.ObjectReadFunction;
import io.trino.plugin.jdbc.ReadFunction;
import io.trino.plugin.jdbc.SliceReadFunction;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.temporal.Temporal;
import java.util.function.UnaryOperator;

import static io.airlift.slice.SliceUtf8.countCodePoints;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.Decimals.encodeShortScaledValue;
import static java.lang.Float.floatToRawIntBits;

/**
 * Chooses how the driver is asked for a column's cells.
 *
 * <p>The read functions of a column mapping ask the driver twice: whether the cell is NULL, and then for its value. The most usual types
 * are read with one question here. The others keep their read functions.
 */
final class DriverDecoders
{
    private DriverDecoders()
    {}

    static DriverDecoder decoder(MappedColumn column)
    {
        ColumnMapping mapping = column.mapping();
        Type type = mapping.getType();
        if (mapping.getReadFunction() instanceof CalendarLong<?> calendar) {
            return calendar(type, calendar);
        }
        return switch (type) {
            case TinyintType _ -> integer(column, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SmallintType _ -> integer(column, Short.MIN_VALUE, Short.MAX_VALUE);
            case IntegerType _ -> integer(column, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BigintType _ -> integer(column, Long.MIN_VALUE, Long.MAX_VALUE);
            case DoubleType _ -> doublePrecision();
            case RealType _ -> real();
            case DecimalType decimal when decimal.isShort() -> decimal(column, decimal);
            case VarcharType varchar -> text(column, varchar.getLength().orElse(Integer.MAX_VALUE), value -> value);
            case CharType character -> text(column, character.getLength(), CharMatcher.is(' ')::trimTrailingFrom);
            case VarbinaryType _ when !MysqlTypes.of(column.mysqlType()).isDecodedByItsMapping() -> varbinary();
            // Where a decimal has more digits than Trino's, its mapping says what becomes of them.
            case DecimalType decimal when column.mysqlType().columnSize().orElse(0) <= Decimals.MAX_PRECISION -> longDecimal(column, decimal);
            default -> byReadFunction(type, mapping.getReadFunction());
        };
    }

    private static DriverDecoder integer(MappedColumn mapped, long least, long most)
    {
        Type type = mapped.type();
        return (rows, column, output) -> {
            long value = longOf(rows, column, mapped);
            if (value == 0 && rows.wasNull()) {
                output.appendNull();
                return;
            }
            if (value < least || value > most) {
                throw tooLarge(mapped);
            }
            type.writeLong(output, value);
        };
    }

    private static long longOf(ResultSet rows, int column, MappedColumn mapped)
            throws SQLException
    {
        try {
            return rows.getLong(column);
        }
        catch (SQLDataException _) {
            throw tooLarge(mapped);
        }
    }

    // It fitted when the query was planned, for MySQL's type has no such value.
    private static ChangedColumnException tooLarge(MappedColumn mapped)
    {
        return new ChangedColumnException("column %s holds a value too large for %s, which it was when the query was planned".formatted(mapped.name(), mapped.type().getDisplayName()));
    }

    private static DriverDecoder doublePrecision()
    {
        return (rows, column, output) -> {
            double value = rows.getDouble(column);
            if (value == 0 && rows.wasNull()) {
                output.appendNull();
                return;
            }
            DoubleType.DOUBLE.writeDouble(output, value);
        };
    }

    private static DriverDecoder real()
    {
        return (rows, column, output) -> {
            float value = rows.getFloat(column);
            if (value == 0 && rows.wasNull()) {
                output.appendNull();
                return;
            }
            RealType.REAL.writeLong(output, floatToRawIntBits(value));
        };
    }

    private static DriverDecoder decimal(MappedColumn mapped, DecimalType type)
    {
        return (rows, column, output) -> {
            BigDecimal value = rows.getBigDecimal(column);
            if (value == null) {
                output.appendNull();
                return;
            }
            if (!fits(value, type)) {
                throw tooLarge(mapped);
            }
            type.writeLong(output, encodeShortScaledValue(value, type.getScale()));
        };
    }

    private static DriverDecoder longDecimal(MappedColumn mapped, DecimalType type)
    {
        DriverDecoder decoder = byReadFunction(type, mapped.mapping().getReadFunction());
        return (rows, column, output) -> {
            BigDecimal value = rows.getBigDecimal(column);
            if (value != null && !fits(value, type)) {
                throw tooLarge(mapped);
            }
            decoder.decode(rows, column, output);
        };
    }

    private static boolean fits(BigDecimal value, DecimalType type)
    {
        return value.precision() - value.scale() <= type.getPrecision() - type.getScale();
    }

    private static DriverDecoder text(MappedColumn mapped, int mostCharacters, UnaryOperator<String> trimmed)
    {
        Type type = mapped.type();
        return (rows, column, output) -> {
            String value = rows.getString(column);
            if (value == null) {
                output.appendNull();
                return;
            }
            Slice slice = utf8Slice(trimmed.apply(value));
            // A string has at most as many code points as chars.
            if (value.length() > mostCharacters && countCodePoints(slice) > mostCharacters) {
                throw tooLarge(mapped);
            }
            type.writeSlice(output, slice);
        };
    }

    private static DriverDecoder varbinary()
    {
        return (rows, column, output) -> {
            byte[] value = rows.getBytes(column);
            if (value == null) {
                output.appendNull();
                return;
            }
            VarbinaryType.VARBINARY.writeSlice(output, Slices.wrappedBuffer(value));
        };
    }

    private static <T extends Temporal> DriverDecoder calendar(Type type, CalendarLong<T> function)
    {
        return (rows, column, output) -> {
            T value = function.cell().read(rows, column);
            if (value == null) {
                output.appendNull();
                return;
            }
            type.writeLong(output, function.toTrino().applyAsLong(value));
        };
    }

    private static DriverDecoder byReadFunction(Type type, ReadFunction readFunction)
    {
        return (rows, column, output) -> {
            if (readFunction.isNull(rows, column)) {
                output.appendNull();
                return;
            }
            write(type, readFunction, rows, column, output);
        };
    }

    private static void write(Type type, ReadFunction readFunction, ResultSet rows, int column, BlockBuilder output)
            throws SQLException
    {
        switch (readFunction) {
            case BooleanReadFunction function -> type.writeBoolean(output, function.readBoolean(rows, column));
            case LongReadFunction function -> type.writeLong(output, function.readLong(rows, column));
            case DoubleReadFunction function -> type.writeDouble(output, function.readDouble(rows, column));
            case SliceReadFunction function -> type.writeSlice(output, function.readSlice(rows, column));
            case ObjectReadFunction function -> type.writeObject(output, function.readObject(rows, column));
            default -> throw new IllegalStateException("Unknown read function of type " + type);
        }
    }
}
