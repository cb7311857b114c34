package io.mysqlpq.trino.rows;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.MysqlType;
import com.mysql.cj.result.Field;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.nio.charset.Charset;
import java.util.Optional;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Chooses how cells are decoded, by what MySQL says it sends and what Trino wants. */
final class CellDecoders
{
    private static final Set<Integer> INTEGERS = ImmutableSet.of(
            MysqlType.FIELD_TYPE_TINY,
            MysqlType.FIELD_TYPE_SHORT,
            MysqlType.FIELD_TYPE_INT24,
            MysqlType.FIELD_TYPE_LONG,
            MysqlType.FIELD_TYPE_LONGLONG);
    private static final Set<MysqlType> TEXTS = ImmutableSet.of(
            MysqlType.CHAR,
            MysqlType.VARCHAR,
            MysqlType.TINYTEXT,
            MysqlType.TEXT,
            MysqlType.MEDIUMTEXT,
            MysqlType.LONGTEXT,
            MysqlType.ENUM);
    private static final Set<MysqlType> BYTES = ImmutableSet.of(
            MysqlType.BINARY,
            MysqlType.VARBINARY,
            MysqlType.TINYBLOB,
            MysqlType.BLOB,
            MysqlType.MEDIUMBLOB,
            MysqlType.LONGBLOB);

    private CellDecoders()
    {}

    /** Empty if the driver has to decode the column. */
    static Optional<CellDecoder> decoder(Field field, Type type)
    {
        return Optional.ofNullable(switch (type) {
            case TinyintType _ when isInteger(field) -> IntegerCells::tinyints;
            case SmallintType _ when isInteger(field) -> IntegerCells::smallints;
            case IntegerType _ when isInteger(field) -> IntegerCells::integers;
            case BigintType _ when isInteger(field) -> IntegerCells::bigints;
            case BooleanType _ when field.getMysqlTypeId() == MysqlType.FIELD_TYPE_BIT -> IntegerCells::booleans;
            case DecimalType decimal when isInteger(field) || field.getMysqlTypeId() == MysqlType.FIELD_TYPE_NEWDECIMAL -> DecimalCells.decoder(decimal);
            case DoubleType _ when field.getMysqlTypeId() == MysqlType.FIELD_TYPE_DOUBLE -> FloatCells::doubles;
            case RealType _ when field.getMysqlTypeId() == MysqlType.FIELD_TYPE_FLOAT -> FloatCells::reals;
            case DateType _ when field.getMysqlTypeId() == MysqlType.FIELD_TYPE_DATE -> CalendarCells::dates;
            case TimestampType timestamp when field.getMysqlTypeId() == MysqlType.FIELD_TYPE_DATETIME -> CalendarCells.timestamps(timestamp.getPrecision());
            case TimestampWithTimeZoneType instant when field.getMysqlTypeId() == MysqlType.FIELD_TYPE_TIMESTAMP -> instants(instant);
            case VarcharType varchar when isText(field) -> TextCells.texts(varchar.getLength().orElse(Integer.MAX_VALUE));
            case CharType character when isText(field) -> TextCells.paddedTexts(character.getLength());
            case VarbinaryType _ when BYTES.contains(field.getMysqlType()) -> TextCells::bytes;
            default -> null;
        });
    }

    private static CellDecoder instants(TimestampWithTimeZoneType type)
    {
        return type.isShort() ? CalendarCells.shortInstants(type.getPrecision()) : CalendarCells.longInstants(type.getPrecision());
    }

    private static boolean isInteger(Field field)
    {
        return INTEGERS.contains(field.getMysqlTypeId());
    }

    private static boolean isText(Field field)
    {
        return TEXTS.contains(field.getMysqlType()) && Charset.forName(field.getEncoding()).equals(UTF_8);
    }
}
