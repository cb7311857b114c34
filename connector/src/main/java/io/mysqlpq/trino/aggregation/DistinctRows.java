package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.handle.TableHandles;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.spi.connector.ConnectorSession;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Describes the distinct rows of some columns of a table. base-jdbc would wrap what is pushed down on top around this query, and MySQL
 * would find all distinct rows to give the first few.
 *
 * @param table without order and limit
 */
public record DistinctRows(JdbcTableHandle table, List<JdbcColumnHandle> columns)
{
    public DistinctRows
    {
        requireNonNull(table, "table is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(isAll(table), "table has an order or a limit: %s", table);
    }

    public static Optional<DistinctRows> of(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        return columns.isEmpty() || !isAll(table) ? Optional.empty() : Optional.of(new DistinctRows(table, columns));
    }

    private static boolean isAll(JdbcTableHandle table)
    {
        return table.getLimit().isEmpty() && table.getSortOrder().isEmpty();
    }

    /** @param first their order, if any, and limit */
    public PreparedQuery first(JdbcTableHandle first, JdbcClient client, ConnectorSession session)
    {
        return client.prepareQuery(session, TableHandles.withFirst(table, first), Optional.of(ImmutableList.of(columns)), columns, Map.of());
    }
}
