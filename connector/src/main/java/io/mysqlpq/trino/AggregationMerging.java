package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.aggregation.AggregationByRanges;
import io.mysqlpq.trino.aggregation.AggregationDecomposer;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.aggregation.GroupEstimate;
import io.mysqlpq.trino.aggregation.GroupsInOrder;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.aggregation.PartialColumn;
import io.mysqlpq.trino.aggregation.RowAggregate;
import io.mysqlpq.trino.aggregation.WholeGroups;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.planning.AccessPath;
import io.mysqlpq.trino.planning.ExplainedScan;
import io.mysqlpq.trino.planning.OneSplitReason;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangePlanner;
import io.mysqlpq.trino.pushdown.ColumnSemantics;
import io.mysqlpq.trino.pushdown.ComparedText;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.split.DistinctRows;
import io.mysqlpq.trino.split.PushedQuery;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.expression.Variable;
import io.trino.spi.statistics.TableStatistics;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static io.mysqlpq.trino.split.TableHandles.withColumns;
import static java.util.Objects.requireNonNull;

/** Decides who groups: Trino, MySQL in one statement, or MySQL range by range, with the ranges' groups merged unless each is in one range. */
final class AggregationMerging
{
    private static final String ONE_SPLIT = "one split: " + OneSplitReason.PUSHED_QUERY;
    // Else what MySQL sends is most of what it reads.
    private static final int FEWEST_ROWS_OF_GROUP = 2;
    // A look-up in an index costs as much as reading some 30 rows (docs/decisions/aggregation-by-ranges.md).
    private static final int FEWEST_ROWS_OF_FOUND_VALUE = 32;
    private static final Set<String> EXTREMES = ImmutableSet.of("min", "max");

    private final JdbcClient client;
    private final RangePlanner planner;
    private final BiFunction<ConnectorSession, JdbcTableHandle, TableStatistics> statistics;
    private final BiFunction<ConnectorSession, JdbcTableHandle, AccessPath> accessPath;
    private final BiFunction<ConnectorSession, RemoteTableName, TableKey> keys;
    // Of ranges of which MySQL computes groups.
    private final BiFunction<ConnectorSession, JdbcTableHandle, AccessPath> groupsPath;
    private final Function<ConnectorSession, PlanningOptions> planningOptions;
    private final Function<ConnectorSession, AggregationOptions> aggregationOptions;

    AggregationMerging(
            JdbcClient client,
            RangePlanner planner,
            BiFunction<ConnectorSession, JdbcTableHandle, TableStatistics> statistics,
            BiFunction<ConnectorSession, JdbcTableHandle, AccessPath> accessPath,
            BiFunction<ConnectorSession, JdbcTableHandle, AccessPath> groupsPath,
            BiFunction<ConnectorSession, RemoteTableName, TableKey> keys,
            Function<ConnectorSession, PlanningOptions> planningOptions,
            Function<ConnectorSession, AggregationOptions> aggregationOptions)
    {
        this.client = requireNonNull(client, "client is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.statistics = requireNonNull(statistics, "statistics is null");
        this.accessPath = requireNonNull(accessPath, "accessPath is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.groupsPath = requireNonNull(groupsPath, "groupsPath is null");
        this.planningOptions = requireNonNull(planningOptions, "planningOptions is null");
        this.aggregationOptions = requireNonNull(aggregationOptions, "aggregationOptions is null");
    }

    /**
     * Adds to a pushed aggregation how ranges give the same, if they do and that is faster.
     *
     * @return empty if Trino is to group
     */
    Optional<PushedQuery> plan(
            ConnectorSession session,
            PushedQuery query,
            JdbcTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets,
            AggregationApplicationResult<ConnectorTableHandle> result)
    {
        if (passesInvalidDatesOver(session, query, table, aggregates, assignments)) {
            return Optional.empty();
        }
        List<JdbcColumnHandle> groupBy = groupBy(groupingSets);
        boolean manyGroups = hasManyGroups(session, table, groupBy);
        boolean skipsRows = skipsRows(session, query, table, aggregates);
        List<JdbcColumnHandle> results = result.getAssignments().stream().map(assignment -> (JdbcColumnHandle) assignment.getColumn()).collect(toImmutableList());
        Optional<WholeGroups> whole = (manyGroups || areKeys(session, table, aggregates, groupBy)) && !skipsRows ? wholeGroups(session, query, table, aggregates, assignments, groupBy, results, manyGroups) : Optional.empty();
        if (whole.isPresent()) {
            return Optional.of(new PushedQuery(query.getPreparedQuery(), query.tables(), whole.map(AggregationByRanges.class::cast), () -> describe(session, whole.get())));
        }
        if (!skipsRows && (isReadNatively(session, query, table, aggregates, assignments, groupBy) || (manyGroups && isBetterLeftToTrino(session, query, table)))) {
            return Optional.empty();
        }
        Optional<PartialAggregation> partial = manyGroups || skipsRows || countsAllRows(table, aggregates, groupBy)
                ? Optional.empty()
                : AggregationDecomposer.decompose(table, aggregates, assignments, groupBy, results, function -> client.implementAggregation(session, function, assignments).orElseThrow(), client::quoted);
        return Optional.of(new PushedQuery(query.getPreparedQuery(), query.tables(), partial.map(AggregationByRanges.class::cast), () -> partial.isPresent() ? describe(groupsPath.apply(session, table), session, "aggregation merged from ") : ONE_SPLIT));
    }

    // MySQL would count an invalid date as it counts others, and compare it, where Trino ends the query when it reads one: the outcome would depend on
    // who computes, and that on the table's size. At an end of an index MySQL looks in any case, whatever the size, and reads no other date.
    private boolean passesInvalidDatesOver(ConnectorSession session, PushedQuery query, JdbcTableHandle table, List<AggregateFunction> aggregates, Map<String, ColumnHandle> assignments)
    {
        List<AggregateFunction> ofDates = aggregates.stream()
                .filter(aggregate -> columns(ImmutableList.of(aggregate), assignments, ImmutableList.of()).stream().anyMatch(ColumnSemantics::mayHoldInvalidDates))
                .collect(toImmutableList());
        boolean areEnds = table.isNamedRelation() && ofDates.stream().allMatch(aggregate -> EXTREMES.contains(aggregate.getFunctionName()));
        return !ofDates.isEmpty() && (!areEnds || explain(session, query, table).filter(ExplainedScan::skipsRows).isEmpty());
    }

    /**
     * Adds an order, if any, and a limit to a query of distinct rows, within it.
     *
     * @param first the query with both on top
     * @return empty if Trino is to take the first rows, of all
     */
    Optional<PushedQuery> first(ConnectorSession session, PushedQuery query, DistinctRows distinct, JdbcTableHandle first)
    {
        boolean filtered = !distinct.table().getConstraint().isAll() || !distinct.table().getConstraintExpressions().isEmpty();
        boolean sorted = first.getSortOrder().isPresent();
        // Text is not sorted as it is compared, and selected. Of an index in the order MySQL may read much before it finds a row that passes the filter.
        Optional<PreparedQuery> sql = sorted && (filtered || first.getSortOrder().get().stream().anyMatch(item -> ComparedText.isText(item.column())))
                ? Optional.empty()
                : Optional.of(distinct.first(first, client, session));
        if (query.byRanges().isPresent() && sql.isPresent() && !filtered && areFewOf(session, distinct, first.getLimit().getAsLong()) && (!sorted || comeInOrder(session, distinct, sql.get()))) {
            return Optional.of(new PushedQuery(sql.get(), query.tables()));
        }
        // The first of each range's groups are not the first of all.
        return query.byRanges().filter(WholeGroups.class::isInstance).isPresent() ? Optional.empty() : Optional.of(sql.map(query::first).orElse(query));
    }

    // Else MySQL would have to read the whole table in one thread to know that there are no more. Columns may depend on each other.
    private boolean areFewOf(ConnectorSession session, DistinctRows distinct, long limit)
    {
        TableStatistics estimated = statistics.apply(session, distinct.table());
        return distinct.columns().stream().anyMatch(column -> GroupEstimate.groups(estimated, ImmutableList.of(column)) >= 2.0 * limit);
    }

    private boolean comeInOrder(ConnectorSession session, DistinctRows distinct, PreparedQuery first)
    {
        return distinct.table().isNamedRelation() && planner.explain(session, distinct.table().getRequiredNamedRelation().getRemoteTableName(), first).filter(scan -> !scan.keepsGroups()).isPresent();
    }

    // More than are merged here.
    private boolean hasManyGroups(ConnectorSession session, JdbcTableHandle table, List<JdbcColumnHandle> groupBy)
    {
        return !groupBy.isEmpty() && table.isNamedRelation() && table.getLimit().isEmpty()
                && GroupEstimate.groups(statistics.apply(session, table), groupBy) > aggregationOptions.apply(session).maxGroups();
    }

    // Distinct first columns of the primary key, a few rows of each. MySQL finds the first of them, should a limit follow, without reading the others.
    private boolean areKeys(ConnectorSession session, JdbcTableHandle table, List<AggregateFunction> aggregates, List<JdbcColumnHandle> groupBy)
    {
        if (!aggregates.isEmpty() || !table.isNamedRelation() || table.getLimit().isPresent()) {
            return false;
        }
        TableStatistics estimated = statistics.apply(session, table);
        double rows = estimated.getRowCount().getValue();
        return rows > planningOptions.apply(session).targetRowsPerSplit()
                && rows <= GroupEstimate.groups(estimated, groupBy) * FEWEST_ROWS_OF_FOUND_VALUE
                && hasRanges(session, table)
                && LeadingColumns.count(keys.apply(session, table.getRequiredNamedRelation().getRemoteTableName()), groupBy) == groupBy.size();
    }

    // In the order of the primary key each group is done before the next one begins; Trino would keep all of them. What is pushed down on top
    // next, such as HAVING, is not known yet. Rows that are read natively are grouped by their reader, if it knows the functions and types.
    private Optional<WholeGroups> wholeGroups(
            ConnectorSession session,
            PushedQuery query,
            JdbcTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<JdbcColumnHandle> groupBy,
            List<JdbcColumnHandle> results,
            boolean manyGroups)
    {
        TableStatistics estimated = statistics.apply(session, table);
        TableKey key = keys.apply(session, table.getRequiredNamedRelation().getRemoteTableName());
        int leading = LeadingColumns.count(key, groupBy);
        boolean areMostRows = GroupEstimate.groups(estimated, groupBy) * FEWEST_ROWS_OF_GROUP > estimated.getRowCount().getValue();
        if (!aggregationOptions.apply(session).isParallel() || leading == 0 || (areMostRows && !aggregates.isEmpty()) || !hasManyRows(session, query, table)) {
            return Optional.empty();
        }
        ImmutableList.Builder<PartialColumn> columns = ImmutableList.builder();
        for (int i = 0; i < aggregates.size(); i++) {
            JdbcExpression expression = client.implementAggregation(session, aggregates.get(i), assignments).orElseThrow();
            columns.add(new PartialColumn(results.get(i), new ParameterizedExpression(expression.getExpression(), expression.getParameters())));
        }
        WholeGroups groups = new WholeGroups(table, groupBy, columns.build(), leading, Optional.empty());
        // Should MySQL compute them after all, it is to do so in the key's order.
        Optional<WholeGroups> natively = RowAggregate.of(aggregates, assignments, results)
                .filter(_ -> planningOptions.apply(session).nativeScans())
                .map(rowAggregates -> new WholeGroups(table, LeadingColumns.inOrder(key, groupBy), columns.build(), leading, Optional.of(rowAggregates)))
                .filter(computedHere -> GroupsInOrder.isSupported(computedHere) && isReadNatively(session, query, table, aggregates, assignments, groupBy))
                .map(computedHere -> computedHere.of(withColumns(table, computedHere.rowColumns())));
        return natively.isPresent() ? natively : Optional.of(groups).filter(_ -> manyGroups && !areMostRows && isReadInOrder(session, query, table, columns(aggregates, assignments, groupBy)));
    }

    // MySQL may prefer another index, or another order than the key's.
    private boolean isReadInOrder(ConnectorSession session, PushedQuery query, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        AccessPath path = groupsPath.apply(session, withColumns(table, columns));
        return path.oneSplitReason().isEmpty() && path.index().equals(Optional.of(PRIMARY)) && explain(session, query, table).filter(scan -> !scan.keepsGroups()).isPresent();
    }

    // One thread of MySQL is slow at keeping many groups of a large table, and sends nearly as much as all rows are, which Trino
    // reads by ranges. In the order of the primary key, or of an index that holds all columns, it keeps none.
    private boolean isBetterLeftToTrino(ConnectorSession session, PushedQuery query, JdbcTableHandle table)
    {
        return statistics.apply(session, table).getRowCount().getValue() > planningOptions.apply(session).targetRowsPerSplit()
                && hasRanges(session, table)
                && explain(session, query, table).filter(scan -> scan.keepsGroups() || scan.looksUpAllRows()).isPresent();
    }

    // Column batches take MySQL less than its own groups of the same rows, and Trino groups them in all its threads.
    private boolean isReadNatively(
            ConnectorSession session,
            PushedQuery query,
            JdbcTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<JdbcColumnHandle> groupBy)
    {
        if (aggregationOptions.apply(session).beforeNativeScan() || !table.isNamedRelation() || !hasManyRows(session, query, table)) {
            return false;
        }
        List<JdbcColumnHandle> columns = columns(aggregates, assignments, groupBy);
        return columns.stream().allMatch(NativeTable::isInRecord) && accessPath.apply(session, withColumns(table, columns)).natively();
    }

    private static List<JdbcColumnHandle> columns(List<AggregateFunction> aggregates, Map<String, ColumnHandle> assignments, List<JdbcColumnHandle> groupBy)
    {
        Stream<JdbcColumnHandle> arguments = aggregates.stream()
                .flatMap(aggregate -> aggregate.getArguments().stream())
                .map(argument -> (JdbcColumnHandle) assignments.get(((Variable) argument).getName()));
        return Stream.concat(groupBy.stream(), arguments).distinct().collect(toImmutableList());
    }

    // Fewer are one split, which MySQL computes sooner than it sends them.
    private boolean hasManyRows(ConnectorSession session, PushedQuery query, JdbcTableHandle table)
    {
        long few = planningOptions.apply(session).targetRowsPerSplit();
        return statistics.apply(session, table).getRowCount().getValue() > few
                && (table.getConstraint().isAll() || explain(session, query, table).filter(scan -> scan.rows() > few).isPresent());
    }

    // InnoDB finds the ends of an index by looking there, and each value once by looking for the next.
    private boolean skipsRows(ConnectorSession session, PushedQuery query, JdbcTableHandle table, List<AggregateFunction> aggregates)
    {
        return (aggregates.isEmpty() || aggregates.stream().anyMatch(aggregate -> EXTREMES.contains(aggregate.getFunctionName())))
                && hasRanges(session, table)
                && explain(session, query, table).filter(scan -> scan.skipsRows() && (!aggregates.isEmpty() || findsLargeGroups(session, table, scan))).isPresent();
    }

    // The rows that MySQL expects to look at are one of each value then.
    private boolean findsLargeGroups(ConnectorSession session, JdbcTableHandle table, ExplainedScan scan)
    {
        return scan.rows() * FEWEST_ROWS_OF_FOUND_VALUE <= statistics.apply(session, table).getRowCount().getValue();
    }

    // InnoDB does so by several threads of its own.
    private static boolean countsAllRows(JdbcTableHandle table, List<AggregateFunction> aggregates, List<JdbcColumnHandle> groupBy)
    {
        return groupBy.isEmpty() && table.getConstraint().isAll() && table.getConstraintExpressions().isEmpty() && aggregates.stream().allMatch(AggregationMerging::countsRows);
    }

    private static boolean countsRows(AggregateFunction aggregate)
    {
        return aggregate.getFunctionName().equals("count") && aggregate.getArguments().isEmpty() && aggregate.getFilter().isEmpty();
    }

    private boolean hasRanges(ConnectorSession session, JdbcTableHandle table)
    {
        return table.isNamedRelation() && accessPath.apply(session, table).oneSplitReason().isEmpty();
    }

    private Optional<ExplainedScan> explain(ConnectorSession session, PushedQuery query, JdbcTableHandle table)
    {
        return planner.explain(session, table.getRequiredNamedRelation().getRemoteTableName(), query.getPreparedQuery());
    }

    private static List<JdbcColumnHandle> groupBy(List<List<ColumnHandle>> groupingSets)
    {
        return getOnlyElement(groupingSets).stream().map(JdbcColumnHandle.class::cast).collect(toImmutableList());
    }

    private String describe(ConnectorSession session, WholeGroups groups)
    {
        return describe((groups.rowAggregates().isPresent() ? accessPath : groupsPath).apply(session, groups.table()), session, "whole groups of ");
    }

    private String describe(AccessPath path, ConnectorSession session, String kind)
    {
        return path.oneSplitReason().isPresent() || !aggregationOptions.apply(session).isParallel() ? ONE_SPLIT : kind + path;
    }
}
