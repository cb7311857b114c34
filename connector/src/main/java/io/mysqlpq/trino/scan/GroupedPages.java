package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.GroupsInOrder;
import io.mysqlpq.trino.aggregation.ResultView;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.spi.Page;

import java.sql.SQLException;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Makes pages of the groups of rows that come one group after another. */
final class GroupedPages
        implements RowPages
{
    private final RowPages rows;
    private final GroupsInOrder groups;
    private final ResultView view;
    // Pages with rows.
    private int given;
    private boolean finished;

    GroupedPages(RowPages rows, GroupsInOrder groups, ResultView view)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.groups = requireNonNull(groups, "groups is null");
        this.view = requireNonNull(view, "view is null");
    }

    @Override
    public Page next()
            throws SQLException
    {
        while (!rows.isFinished()) {
            Page complete = view.of(groups.add(rows.next()));
            if (complete.getPositionCount() > 0) {
                given++;
                return complete;
            }
        }
        finished = true;
        Page last = view.of(groups.finish());
        given += last.getPositionCount() > 0 ? 1 : 0;
        return last;
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
    public boolean isUnchanged()
    {
        return rows.isUnchanged();
    }

    @Override
    public List<ScannedPiece> pieces()
    {
        // Those of the rows are one at most, but not of these pages.
        return rows.pieces().stream().map(piece -> new ScannedPiece(given, piece.end(), piece.validator())).collect(toImmutableList());
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
        return rows.retainedBytes() + groups.retainedBytes();
    }
}
