package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.spi.Page;

import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/** Stands for the pages of a range that has not changed since an earlier query read it. */
final class UnchangedPages
        implements RowPages
{
    private final NativeBatches batches;

    UnchangedPages(NativeBatches batches)
    {
        this.batches = requireNonNull(batches, "batches is null");
    }

    @Override
    public boolean isUnchanged()
    {
        return true;
    }

    @Override
    public Page next()
    {
        throw new IllegalStateException("The earlier query has the pages");
    }

    @Override
    public boolean isFinished()
    {
        return true;
    }

    @Override
    public boolean isNative()
    {
        return true;
    }

    @Override
    public boolean isByDriver()
    {
        return false;
    }

    @Override
    public long blocksByDriver()
    {
        return 0;
    }

    @Override
    public void close()
            throws SQLException
    {
        batches.drain();
    }

    @Override
    public long retainedBytes()
    {
        return batches.retainedBytes();
    }
}
