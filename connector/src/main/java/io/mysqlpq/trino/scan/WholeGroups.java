package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.GroupsInOrder;
import io.mysqlpq.trino.aggregation.ResultView;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.sharing.KeptRead;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Reads the groups of a range that lie in it whole, and what was pushed down on top of them.
 *
 * @param result the whole aggregation, with what was pushed down on top of it
 * @param rows the rows of the groups, if they can be grouped here
 */
record WholeGroups(ReadSql sql, WholeGroupAggregation groups, JdbcTableHandle result, List<JdbcColumnHandle> columns, Optional<NativeScan> rows)
        implements ReadPlan
{
    WholeGroups
    {
        requireNonNull(sql, "sql is null");
        requireNonNull(groups, "groups is null");
        requireNonNull(result, "result is null");
        columns = ImmutableList.copyOf(columns);
        requireNonNull(rows, "rows is null");
    }

    static WholeGroups of(ReadSql sql, WholeGroupAggregation groups, JdbcTableHandle result, List<JdbcColumnHandle> columns)
    {
        boolean supported = GroupsInOrder.isSupported(groups) && ResultView.isSupported(result);
        Optional<NativeScan> rows = supported ? NativeScan.of(sql.context(), sql.split(), groups.table(), groups.rowColumns(), new RowsInOrder(sql, groups)) : Optional.empty();
        return new WholeGroups(sql, groups, result, columns, rows);
    }

    @Override
    public RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Optional<KeptRead> known, Consumer<String> refusals)
            throws SQLException
    {
        if (rows.isPresent()) {
            // A filter of the groups is one of the rows.
            TupleDomain<ColumnHandle> filterOfRows = dynamicFilter.filter((column, _) -> groups.groupBy().contains((JdbcColumnHandle) column));
            Optional<RowPages> opened = rows.get().open(connection, filterOfRows, known, false, refusals);
            if (opened.isPresent()) {
                return new GroupedPages(opened.get(), new GroupsInOrder(groups), new ResultView(groups.columns(), result, columns));
            }
        }
        return sql.pages(columns, connection, sql.wholeGroups(connection, groups, result, columns, dynamicFilter));
    }
}
