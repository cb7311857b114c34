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

/** Says which of a table's columns a scan depends on, whether it returns them or not. */
public final class NamedColumns
{
    private NamedColumns()
    {}

    /**
     * The columns that the scan returns as far as its handle knows them, and those that it filters or orders by.
     *
     * @param scan of a table
     * @return empty if the handle does not know the columns of its filters, as on a worker
     */
    public static Optional<Set<JdbcColumnHandle>> of(JdbcTableHandle scan)
    {
        return FilteredRelation.columns(scan)
                .map(filters -> Stream.of(scan.getColumns().stream().flatMap(List::stream), constrained(scan), filters.stream(), ordering(scan))
                        .flatMap(columns -> columns)
                        // No column of MySQL's.
                        .filter(column -> !column.getColumnName().equals(MERGE_ROW_ID))
                        .collect(toImmutableSet()));
    }

    static Stream<JdbcColumnHandle> constrained(JdbcTableHandle scan)
    {
        return scan.getConstraint().getDomains().stream().flatMap(domains -> domains.keySet().stream()).map(JdbcColumnHandle.class::cast);
    }

    private static Stream<JdbcColumnHandle> ordering(JdbcTableHandle scan)
    {
        return scan.getSortOrder().stream().flatMap(List::stream).map(JdbcSortItem::column);
    }
}
