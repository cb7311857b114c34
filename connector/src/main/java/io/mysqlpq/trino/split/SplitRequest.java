package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.aggregation.AggregationByRanges;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.QueryScans;
import io.mysqlpq.trino.planning.RangeSource;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Holds what the splits of one scan are planned from.
 *
 * @param table as workers know it, with the columns that are read
 * @param tables all that the scan reads
 * @param aggregation how ranges give the scan, if it is of a pushed aggregation
 * @param scans what the query knows of its tables
 */
record SplitRequest(ConnectorSession session, JdbcTableHandle table, List<SplitTable> tables, Optional<AggregationByRanges> aggregation, AggregationOptions aggregationOptions, PlanningOptions options, QueryScans scans)
{
    SplitRequest
    {
        requireNonNull(session, "session is null");
        requireNonNull(table, "table is null");
        tables = ImmutableList.copyOf(tables);
        requireNonNull(aggregation, "aggregation is null");
        requireNonNull(aggregationOptions, "aggregationOptions is null");
        requireNonNull(options, "options is null");
        requireNonNull(scans, "scans is null");
    }

    PlanningOptions rangeOptions()
    {
        return aggregation.map(groups -> groups.rangeOptions(options, aggregationOptions)).orElse(options);
    }

    /** Returns the table that ranges are cut from. Empty if no row passes the filter. */
    Optional<JdbcTableHandle> rows(TupleDomain<JdbcColumnHandle> filter)
    {
        JdbcTableHandle filtered = table.intersectedWithConstraint(filter.transformKeys(column -> column));
        return filtered.getConstraint().isNone()
                ? Optional.empty()
                : Optional.of(aggregation.map(groups -> groups.table().intersectedWithConstraint(filterOfRows(groups, filter))).orElse(filtered));
    }

    // A filter of the groups is one of the rows. Not of columns that Trino has handed over a filter of: see DynamicFilterSql.
    private static TupleDomain<ColumnHandle> filterOfRows(AggregationByRanges groups, TupleDomain<JdbcColumnHandle> filter)
    {
        Map<ColumnHandle, Domain> filtered = groups.table().getConstraint().getDomains().orElse(ImmutableMap.of());
        return filter.filter((column, _) -> groups.groupBy().contains(column) && !filtered.containsKey(column)).transformKeys(column -> column);
    }

    /** Returns the table whose rows are read. */
    JdbcTableHandle scanned()
    {
        return aggregation.map(AggregationByRanges::table).orElse(table);
    }

    boolean isPointLookup(JdbcTableHandle rows)
    {
        return scans.isPointLookup(rows) && options.rangeSource() != RangeSource.EXTENSION;
    }
}
