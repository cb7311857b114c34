package io.mysqlpq.trino.types;

import io.mysqlpq.trino.cells.BatchDecoder;
import io.mysqlpq.trino.cells.NativeLayout;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.type.Type;

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
