package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.GroupTable;
import io.mysqlpq.trino.aggregation.NativeAggregation;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.Projection;
import io.mysqlpq.trino.expression.RowFilter;
import io.mysqlpq.trino.rows.RowPages;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.block.Block;

import java.sql.SQLException;
import java.util.List;
import java.util.function.ToIntFunction;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Groups the rows of a range, and gives of the groups what the extension would give. */
final class RowGroupPages
        implements RowPages
{
    // More groups are given as they are, and begun anew.
    private static final int MOST_GROUPS = 8192;
    // Texts may be long.
    private static final long MOST_BYTES = 16 << 20;

    private final RowPages rows;
    private final RowFilter filter;
    private final List<Projection> projections;
    private final NativeAggregation aggregation;
    private GroupTable groups;
    private boolean finished;

    /**
     * @param columns of the rows
     * @param where what has to be true of a row
     */
    RowGroupPages(RowPages rows, List<JdbcColumnHandle> columns, List<Expression> where, NativeAggregation aggregation)
    {
        this.rows = requireNonNull(rows, "rows is null");
        List<String> names = columns.stream().map(JdbcColumnHandle::getColumnName).collect(toImmutableList());
        ToIntFunction<String> channels = names::indexOf;
        this.filter = new RowFilter(where, channels);
        ImmutableList.Builder<Projection> computed = ImmutableList.builder();
        aggregation.keys().forEach(key -> computed.add(new Projection(key.expression(), channels, key.column().getColumnType())));
        aggregation.aggregates().forEach(aggregate -> aggregate.arguments().forEach(argument -> computed.add(new Projection(argument.expression(), channels, argument.column().getColumnType()))));
        this.projections = computed.build();
        this.aggregation = requireNonNull(aggregation, "aggregation is null");
        this.groups = new GroupTable(aggregation);
    }

    @Override
    public Page next()
            throws SQLException
    {
        while (!rows.isFinished() && groups.groups() < MOST_GROUPS && groups.retainedBytes() < MOST_BYTES) {
            add(rows.next());
        }
        finished = rows.isFinished();
        Page partials = groups.partials();
        groups = new GroupTable(aggregation);
        return partials;
    }

    private void add(Page page)
    {
        if (page.getPositionCount() == 0) {
            return;
        }
        int passed = filter.select(page);
        Page selected = passed == page.getPositionCount() ? page : page.getPositions(filter.positions(), 0, passed);
        Block[] blocks = projections.stream().map(projection -> projection.evaluate(selected)).toArray(Block[]::new);
        groups.addRows(new Page(selected.getPositionCount(), blocks));
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
    public long savedBytes()
    {
        return rows.savedBytes();
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
