package io.mysqlpq.trino.split;

import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcSortItem;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.plugin.jdbc.DefaultJdbcMetadata.MERGE_ROW_ID;

/** Says which columns the SQL of a scan names, whether it returns them or not. */
public final class NamedColumns
{
    private NamedColumns()
    {}

    /**
     * Returns the columns that the scan returns, as far as its handle knows them, and those that it filters or orders by.
     *
     * @param scan of a table
     * @return empty if the handle does not know the columns of its expressions, as on a worker
     */
    public static Optional<Set<JdbcColumnHandle>> of(JdbcTableHandle scan)
    {
        return FilteredRelation.columns(scan)
                .map(expressions -> Stream.of(scan.getColumns().stream().flatMap(List::stream), filteredOrOrdered(scan), expressions.stream())
                        .flatMap(columns -> columns)
                        .filter(NamedColumns::isOfMysql)
                        .collect(toImmutableSet()));
    }

    /** Returns the columns that a scan filters or orders by. Filters that are expressions do not count, because the handle keeps only their SQL. */
    public static Stream<JdbcColumnHandle> filteredOrOrdered(JdbcTableHandle scan)
    {
        return Stream.concat(constrained(scan), scan.getSortOrder().stream().flatMap(List::stream).map(JdbcSortItem::column));
    }

    static Stream<JdbcColumnHandle> constrained(JdbcTableHandle scan)
    {
        return scan.getConstraint().getDomains().stream().flatMap(domains -> domains.keySet().stream()).map(JdbcColumnHandle.class::cast);
    }

    /** Whether MySQL knows the column. It does not know ids of rows, which readers make. */
    static boolean isOfMysql(JdbcColumnHandle column)
    {
        return !column.getColumnName().equals(MERGE_ROW_ID);
    }
}
