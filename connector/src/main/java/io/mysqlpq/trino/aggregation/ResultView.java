package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcSortItem;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.Page;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.TypeUtils.readNativeValue;

/** Applies to a merged result what was pushed down on top of the aggregation: HAVING, ORDER BY, LIMIT, and the choice of columns. */
public final class ResultView
{
    private record Filter(int channel, Type type, Domain domain)
    {
        boolean isPassed(Page result, int row)
        {
            return domain.includesNullableValue(readNativeValue(type, result.getBlock(channel), row));
        }
    }

    private final List<JdbcColumnHandle> available;
    private final JdbcTableHandle table;
    private final List<Filter> filters;
    private final int[] channels;

    /**
     * @param available the result's columns
     * @param table the whole aggregation
     * @param columns those that are wanted
     */
    public ResultView(List<JdbcColumnHandle> available, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        this.available = ImmutableList.copyOf(available);
        this.table = table;
        checkArgument(isSupported(table), "not known here: %s", table.getConstraintExpressions());
        this.filters = table.getConstraint().getDomains().orElseThrow().entrySet().stream()
                .map(filter -> new Filter(channel((JdbcColumnHandle) filter.getKey()), filter.getValue().getType(), filter.getValue()))
                .collect(toImmutableList());
        this.channels = columns.stream().mapToInt(this::channel).toArray();
    }

    /** Whether all that was pushed down on top of the aggregation can be done here. */
    public static boolean isSupported(JdbcTableHandle table)
    {
        return table.getConstraintExpressions().isEmpty() && !table.getConstraint().isNone();
    }

    public Page of(Page result)
    {
        IntStream rows = IntStream.range(0, result.getPositionCount()).filter(row -> filters.stream().allMatch(filter -> filter.isPassed(result, row)));
        if (table.getSortOrder().isPresent()) {
            rows = rows.boxed().sorted(order(result, table.getSortOrder().get())).mapToInt(Integer::intValue);
        }
        if (table.getLimit().isPresent()) {
            rows = rows.limit(table.getLimit().getAsLong());
        }
        int[] positions = rows.toArray();
        return result.getColumns(channels).copyPositions(positions, 0, positions.length);
    }

    private Comparator<Integer> order(Page result, List<JdbcSortItem> items)
    {
        return items.stream()
                .map(item -> order(result, item))
                .reduce(Comparator::thenComparing)
                .orElseThrow();
    }

    private Comparator<Integer> order(Page result, JdbcSortItem item)
    {
        SortOrder order = item.sortOrder();
        Comparator<Object> values = order.isAscending() ? NativeOrder.of(item.column().getColumnType()) : NativeOrder.of(item.column().getColumnType()).reversed();
        Comparator<Object> nullable = order.isNullsFirst() ? Comparator.nullsFirst(values) : Comparator.nullsLast(values);
        return Comparator.comparing(row -> value(result, item.column(), row), nullable);
    }

    @Nullable
    private Object value(Page result, JdbcColumnHandle column, int row)
    {
        Type type = column.getColumnType();
        return readNativeValue(type, result.getBlock(channel(column)), row);
    }

    private int channel(JdbcColumnHandle column)
    {
        int channel = available.indexOf(column);
        checkArgument(channel >= 0, "not in the result: %s", column);
        return channel;
    }
}
