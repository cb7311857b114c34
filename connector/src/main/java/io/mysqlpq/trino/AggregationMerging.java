package io.mysqlpq.trino;

import io.mysqlpq.trino.aggregation.AggregationDecomposer;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.aggregation.GroupEstimate;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.planning.AccessPath;
import io.mysqlpq.trino.planning.OneSplitReason;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.split.PushedQuery;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.statistics.TableStatistics;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static java.util.Objects.requireNonNull;

/** Decides who groups: Trino, MySQL in one statement, or MySQL range by range with the ranges' groups merged. */
final class AggregationMerging
{
    private static final String ONE_SPLIT = "one split: " + OneSplitReason.PUSHED_QUERY;

    private final JdbcClient client;
    private final BiFunction<ConnectorSession, JdbcTableHandle, TableStatistics> statistics;
    private final BiFunction<ConnectorSession, JdbcTableHandle, AccessPath> accessPath;
    private final Function<ConnectorSession, PlanningOptions> planningOptions;
    private final Function<ConnectorSession, AggregationOptions> aggregationOptions;

    AggregationMerging(
            JdbcClient client,
            BiFunction<ConnectorSession, JdbcTableHandle, TableStatistics> statistics,
            BiFunction<ConnectorSession, JdbcTableHandle, AccessPath> accessPath,
            Function<ConnectorSession, PlanningOptions> planningOptions,
            Function<ConnectorSession, AggregationOptions> aggregationOptions)
    {
        this.client = requireNonNull(client, "client is null");
        this.statistics = requireNonNull(statistics, "statistics is null");
        this.accessPath = requireNonNull(accessPath, "accessPath is null");
        this.planningOptions = requireNonNull(planningOptions, "planningOptions is null");
        this.aggregationOptions = requireNonNull(aggregationOptions, "aggregationOptions is null");
    }

    /**
     * Whether a large table has more groups than are merged here: one thread of MySQL is slow at them, and sends nearly as
     * much as all rows are, which Trino reads by ranges.
     */
    boolean isBetterLeftToTrino(ConnectorSession session, JdbcTableHandle table, List<List<ColumnHandle>> groupingSets)
    {
        if (groupingSets.size() > 1 || getOnlyElement(groupingSets).isEmpty() || !table.isNamedRelation() || table.getLimit().isPresent()) {
            return false;
        }
        TableStatistics estimates = statistics.apply(session, table);
        return GroupEstimate.groups(estimates, groupBy(groupingSets)) > aggregationOptions.apply(session).maxGroups()
                && estimates.getRowCount().getValue() > planningOptions.apply(session).targetRowsPerSplit()
                && accessPath.apply(session, table).oneSplitReason().isEmpty();
    }

    private static List<JdbcColumnHandle> groupBy(List<List<ColumnHandle>> groupingSets)
    {
        return getOnlyElement(groupingSets).stream().map(JdbcColumnHandle.class::cast).collect(toImmutableList());
    }

    /** Adds to a pushed aggregation how ranges give the same, if they do. */
    PushedQuery byRanges(
            ConnectorSession session,
            PushedQuery query,
            JdbcTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets,
            AggregationApplicationResult<ConnectorTableHandle> result)
    {
        List<JdbcColumnHandle> results = result.getAssignments().stream().map(assignment -> (JdbcColumnHandle) assignment.getColumn()).collect(toImmutableList());
        Optional<PartialAggregation> partial = AggregationDecomposer.decompose(table, aggregates, assignments, groupBy(groupingSets), results, function -> client.implementAggregation(session, function, assignments).orElseThrow(), client::quoted);
        return new PushedQuery(query.getPreparedQuery(), query.tables(), partial, () -> partial.map(found -> describe(session, found.table())).orElse(ONE_SPLIT));
    }

    private String describe(ConnectorSession session, JdbcTableHandle table)
    {
        AccessPath path = accessPath.apply(session, table);
        return path.oneSplitReason().isPresent() || !aggregationOptions.apply(session).isParallel() ? ONE_SPLIT : "aggregation merged from " + path;
    }
}
