package io.mysqlpq.trino.aggregation;

import com.google.common.base.Suppliers;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.planning.AccessPath;
import io.mysqlpq.trino.planning.ExplainedScan;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.QueryScans;
import io.mysqlpq.trino.planning.ScanDecision;
import io.mysqlpq.trino.server.TableKey;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.statistics.TableStatistics;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import static io.mysqlpq.trino.handle.TableHandles.withColumns;
import static java.util.Objects.requireNonNull;

/** Tells what is known of the filtered table that a query aggregates, and how its rows would be read. */
public final class AggregatedTable
{
    private final QueryScans scans;
    private final JdbcTableHandle handle;
    private final Supplier<TableStatistics> statistics;
    private final PlanningOptions options;

    /**
     * @param handle names the columns that are read
     * @param statistics Trino's statistics, which are asked for only if they matter
     */
    public AggregatedTable(QueryScans scans, JdbcTableHandle handle, Supplier<TableStatistics> statistics, PlanningOptions options)
    {
        this.scans = requireNonNull(scans, "scans is null");
        this.handle = requireNonNull(handle, "handle is null");
        this.statistics = Suppliers.memoize(requireNonNull(statistics, "statistics is null")::get);
        this.options = requireNonNull(options, "options is null");
    }

    /** The columns that are read. */
    public List<JdbcColumnHandle> columns()
    {
        return handle.getColumns().orElseThrow();
    }

    JdbcTableHandle handle()
    {
        return handle;
    }

    PlanningOptions options()
    {
        return options;
    }

    /** Whether the aggregation is over a table itself, and over all of its rows that pass the filters. */
    boolean isOfAllRows()
    {
        return handle.isNamedRelation() && handle.getLimit().isEmpty();
    }

    boolean isFiltered()
    {
        return !handle.getConstraint().isAll() || !handle.getConstraintExpressions().isEmpty();
    }

    /** Counts the rows of the table without its filters. NaN if the number is not known. */
    double rows()
    {
        return statistics.get().getRowCount().getValue();
    }

    /** Estimates the groups of these columns. NaN if the number is not known. */
    double groups(List<JdbcColumnHandle> groupBy)
    {
        return GroupEstimate.groups(statistics.get(), groupBy);
    }

    TableKey key()
    {
        return scans.key(name());
    }

    boolean hasRanges()
    {
        return handle.isNamedRelation() && !scans.decide(handle, options).isWhole();
    }

    /** Whether the filters leave more rows than one split should have. MySQL computes a result of fewer rows sooner than it sends the rows. */
    boolean hasManyRows(List<JdbcColumnHandle> columns)
    {
        long few = options.targetRowsPerSplit();
        return rows() > few && (handle.getConstraint().isAll() || scans.explain(name(), withColumns(handle, columns)).filter(scan -> scan.rows() > few).isPresent());
    }

    /** Whether the extension reads these rows of the table, and they are many. */
    boolean isReadNatively(JdbcTableHandle rows)
    {
        List<JdbcColumnHandle> columns = rows.getColumns().orElseThrow();
        return columns.stream().allMatch(NativeTable::isInRecord) && hasManyRows(columns) && path(columns).natively();
    }

    /** Whether the extension reads these rows of the table, which are many, and computes of them. */
    public boolean isComputedNatively(JdbcTableHandle rows)
    {
        return isReadNatively(rows) && scans.isAggregated(name());
    }

    /** Says how rows are read if they have these columns. */
    AccessPath path(List<JdbcColumnHandle> columns)
    {
        return scans.decide(withColumns(handle, columns), options);
    }

    /** Says how ranges are read if MySQL computes groups of these columns in each. */
    AccessPath groupsPath(List<JdbcColumnHandle> columns)
    {
        return scans.decide(withColumns(handle, columns), options.ofAggregation());
    }

    /** Says how MySQL would run a query of the table. Empty if MySQL does not say. */
    Optional<ExplainedScan> explain(PreparedQuery query)
    {
        return scans.explain(name(), query);
    }

    ScanDecision decision(AggregationByRanges aggregation, AggregationOptions aggregationOptions)
    {
        return scans.decision(aggregation::table, aggregation.rangeOptions(options, aggregationOptions));
    }

    private RemoteTableName name()
    {
        return handle.getRequiredNamedRelation().getRemoteTableName();
    }
}
