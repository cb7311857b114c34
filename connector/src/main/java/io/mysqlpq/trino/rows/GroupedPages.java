package io.mysqlpq.trino.rows;

import io.trino.spi.Page;

import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/** Makes pages of the groups of rows that come one group after another. */
public final class GroupedPages
        implements RowPages
{
    /** Groups rows. */
    public interface Grouping
    {
        /** Adds the next rows, and gives the groups that are complete by now. */
        Page add(Page rows);

        /** The groups that are left after the last row. */
        Page finish();

        /** Bytes that are kept from page to page. */
        long retainedBytes();
    }

    private final RowPages rows;
    private final Grouping grouping;
    private boolean finished;

    public GroupedPages(RowPages rows, Grouping grouping)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.grouping = requireNonNull(grouping, "grouping is null");
    }

    @Override
    public Page next()
            throws SQLException
    {
        while (!rows.isFinished()) {
            Page groups = grouping.add(rows.next());
            if (groups.getPositionCount() > 0) {
                return groups;
            }
        }
        finished = true;
        return grouping.finish();
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public boolean isNative()
    {
        return rows.isNative();
    }

    @Override
    public boolean isStopped()
    {
        return rows.isStopped();
    }

    @Override
    public boolean isByDriver()
    {
        return rows.isByDriver();
    }

    @Override
    public long blocksByDriver()
    {
        return rows.blocksByDriver();
    }

    @Override
    public void close()
            throws SQLException
    {
        rows.close();
    }

    @Override
    public long retainedBytes()
    {
        return rows.retainedBytes() + grouping.retainedBytes();
    }
}
