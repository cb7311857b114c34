package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.nativescan.NativeLayout;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** A column of a column batch, and how it becomes a block. */
public record NativeColumn(NativeLayout layout, BatchDecoder decoder)
{
    public NativeColumn
    {
        requireNonNull(layout, "layout is null");
        requireNonNull(decoder, "decoder is null");
    }

    /** Empty if cells of the type come by SQL only. */
    public static Optional<NativeColumn> of(JdbcTypeHandle mysqlType, Type type)
    {
        return NativeLayout.of(mysqlType, type).map(layout -> new NativeColumn(layout, decoder(layout, mysqlType, type)));
    }

    private static BatchDecoder decoder(NativeLayout layout, JdbcTypeHandle mysqlType, Type type)
    {
        return switch (type) {
            case BooleanType _ -> BatchBlocks::booleans;
            case RealType _ -> BatchBlocks::shownFloats;
            case DateType _ -> mysqlType.jdbcTypeName().filter(name -> name.equalsIgnoreCase("YEAR")).isPresent() ? BatchBlocks::years : BatchBlocks::dates;
            case TimeType _ -> BatchBlocks::times;
            case TimestampType _ -> BatchBlocks::timestamps;
            case TimestampWithTimeZoneType instant -> instant.isShort() ? BatchBlocks::shortInstants : BatchBlocks::longInstants;
            case VarcharType varchar -> BatchBlocks.texts(varchar.getLength().orElse(Integer.MAX_VALUE));
            case CharType character -> BatchBlocks.texts(character.getLength());
            default -> switch (layout) {
                case INT8 -> BatchBlocks::bytes;
                case INT16 -> BatchBlocks::shorts;
                case INT32 -> BatchBlocks::ints;
                case INT64 -> BatchBlocks::longs;
                case INT128 -> BatchBlocks::longDecimals;
                case BYTES -> BatchBlocks::binaries;
            };
        };
    }
}
