package io.mysqlpq.trino.rows;

import io.mysqlpq.trino.cells.DriverDecoder;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Asks the driver for each cell. */
final class DriverPages
        implements RowPages
{
    private static final int MAX_PAGE_ROWS = 65_536;

    private final ResultSet rows;
    private final List<DriverDecoder> decoders;
    private final PageBuilder page;
    private boolean finished;
    private long retainedBytes;

    DriverPages(ResultSet rows, List<MappedColumn> columns)
    {
        this.rows = rows;
        this.decoders = columns.stream().map(DriverDecoders::decoder).collect(toImmutableList());
        this.page = new PageBuilder(columns.stream().map(MappedColumn::type).collect(toImmutableList()));
    }

    @Override
    public Page next()
            throws SQLException
    {
        while (!page.isFull() && page.getPositionCount() < MAX_PAGE_ROWS) {
            if (!rows.next()) {
                finished = true;
                break;
            }
            page.declarePosition();
            for (int column = 0; column < decoders.size(); column++) {
                decoders.get(column).decode(rows, column + 1, page.getBlockBuilder(column));
            }
        }
        retainedBytes = page.getRetainedSizeInBytes();
        Page full = page.build();
        page.reset();
        return full;
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public boolean isByDriver()
    {
        return true;
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
        rows.getStatement().close();
    }

    @Override
    public long retainedBytes()
    {
        return retainedBytes;
    }
}
