package io.mysqlpq.trino.types;

import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.BatchDecoder;
import io.mysqlpq.trino.cells.NativeLayout;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Says how a column is laid out in a column batch, and how it becomes a block. */
public record NativeColumn(NativeLayout layout, BatchDecoder decoder)
{
    public NativeColumn
    {
        requireNonNull(layout, "layout is null");
        requireNonNull(decoder, "decoder is null");
    }

    /** Returns the layout of an expression's values. */
    public static NativeColumn ofExpression(Type type)
    {
        return switch (type) {
            case BooleanType _ -> new NativeColumn(NativeLayout.INT8, BatchBlocks::truths);
            case TinyintType _ -> new NativeColumn(NativeLayout.INT8, BatchBlocks::bytes);
            case SmallintType _ -> new NativeColumn(NativeLayout.INT16, BatchBlocks::shorts);
            case IntegerType _,DateType _ -> new NativeColumn(NativeLayout.INT32, BatchBlocks::ints);
            case DecimalType decimal when !decimal.isShort() -> new NativeColumn(NativeLayout.INT128, BatchBlocks::longDecimals);
            case BigintType _,DecimalType _,TimestampType _ -> new NativeColumn(NativeLayout.INT64, BatchBlocks::longs);
            case VarcharType varchar -> new NativeColumn(NativeLayout.BYTES, BatchBlocks.texts(varchar.getLength().orElse(Integer.MAX_VALUE)));
            case CharType character -> new NativeColumn(NativeLayout.BYTES, BatchBlocks.texts(character.getLength()));
            default -> throw new IllegalArgumentException("Not a type of expressions: " + type);
        };
    }

    /**
     * Returns the layout of a column. Empty if its cells come by SQL only.
     *
     * <p>The extension refuses a layout that does not hold all values of the column's type.
     */
    public static Optional<NativeColumn> of(JdbcTypeHandle handle, Type type)
    {
        return MysqlTypes.named(handle).flatMap(mysqlType -> mysqlType.nativeColumn(handle, type));
    }
}
