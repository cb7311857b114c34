package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.mysqlpq.trino.aggregation.Grouping.ByRanges;
import io.mysqlpq.trino.aggregation.Grouping.ByTrino;
import io.mysqlpq.trino.aggregation.Grouping.OneStatement;
import io.mysqlpq.trino.planning.ExplainedScan;
import io.mysqlpq.trino.pushdown.ColumnSemantics;
import io.mysqlpq.trino.server.TableKey;
import io.mysqlpq.trino.types.ExpressionColumns;
import io.mysqlpq.trino.types.InvalidDateHandling;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.handle.TableHandles.withColumns;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static io.mysqlpq.trino.types.TypeSessionProperties.typeOptions;
import static java.util.Objects.requireNonNull;

/**
 * Decides who computes an aggregation: Trino, MySQL in one statement, or range by range the extension, the reader or MySQL.
 */
public final class AggregationPlanner
{
    // If groups have fewer rows than this, MySQL sends nearly as much as it reads.
    private static final int FEWEST_ROWS_OF_GROUP = 2;
    // A look-up in an index costs as much as reading some 30 rows (docs/decisions/aggregation-by-ranges.md).
    private static final int FEWEST_ROWS_OF_FOUND_VALUE = 32;
    private static final Set<String> EXTREMES = ImmutableSet.of("min", "max");

    private final JdbcClient client;
    private final ColumnSemantics semantics;

    @Inject
    public AggregationPlanner(@ForBaseJdbc JdbcClient client)
    {
        this.client = requireNonNull(client, "client is null");
        this.semantics = new ColumnSemantics(session -> typeOptions(session).invalidDates() == InvalidDateHandling.NULL);
    }

    /** Decides about an aggregation. What will be pushed down on top of it is not yet known. */
    public Grouping plan(ConnectorSession session, AggregatedTable table, AggregationRequest request, AggregationOptions options)
    {
        Optional<ByRanges> natively = natively(session, table, request.aggregates(), request.assignments(), request.groupBy(), request.results(), options);
        if (passesInvalidDatesOver(table, request)) {
            return natively.<Grouping>map(ranges -> ranges).orElseGet(ByTrino::new);
        }
        if (!options.isParallel() || skipsRows(table, request)) {
            return new OneStatement();
        }
        Optional<WholeGroupAggregation> whole = wholeGroups(session, table, request, options);
        if (whole.isPresent()) {
            return new ByRanges(whole.get(), table.decision(whole.get(), options));
        }
        if (natively.isPresent()) {
            return natively.get();
        }
        if (isReadNatively(table, request)) {
            return new ByTrino();
        }
        // InnoDB counts all rows by several threads of its own.
        if (request.countsRowsOnly() && !table.isFiltered()) {
            return new OneStatement();
        }
        if (request.groupBy().isEmpty()) {
            return AggregationDecomposer.decompose(table.handle(), request.aggregates(), request.assignments(), request.results(), function -> client.implementAggregation(session, function, request.assignments()).orElseThrow(), client::quoted)
                    .<Grouping>map(partial -> new ByRanges(partial, table.decision(partial, options)))
                    .orElseGet(OneStatement::new);
        }
        return isBetterLeftToTrino(table, request) ? new ByTrino() : new OneStatement();
    }

    /**
     * Lets the extension compute the groups. One node merges those of all ranges, so there must be few.
     *
     * @param table its columns may be computed from those of MySQL
     * @param results the columns of the functions' values, in their order
     * @return empty if the extension does not compute them exactly, or if another way is better
     */
    public Optional<ByRanges> natively(
            ConnectorSession session,
            AggregatedTable table,
            List<AggregateFunction> functions,
            Map<String, ColumnHandle> assignments,
            List<JdbcColumnHandle> groupBy,
            List<JdbcColumnHandle> results,
            AggregationOptions options)
    {
        if (!options.natively() || !table.isOfAllRows()) {
            return Optional.empty();
        }
        return new NativeAggregations(table.handle(), column -> isExact(session, column))
                .of(functions, assignments, groupBy, results)
                .filter(aggregation -> table.isComputedNatively(aggregation.table()) && GroupEstimate.groups(table, aggregation) <= options.maxGroups())
                .map(aggregation -> new ByRanges(aggregation, table.decision(aggregation, options)));
    }

    /** Whether the extension takes a column's values for what Trino takes them for. */
    public boolean isExact(ConnectorSession session, JdbcColumnHandle column)
    {
        return ExpressionColumns.areExact(column) && semantics.areNullAlike(session, column);
    }

    /** Whether the extension orders a column's values as Trino does. */
    public boolean isOrdered(ConnectorSession session, JdbcColumnHandle column)
    {
        return ExpressionColumns.areOrdered(column) && semantics.areNullAlike(session, column);
    }

    // MySQL counts and compares an invalid date like any other, while Trino fails the query when it reads one. The outcome would then depend on who
    // computes, and so on the table's size. An end of an index is different: MySQL looks there whatever the size, and reads no other date.
    private static boolean passesInvalidDatesOver(AggregatedTable table, AggregationRequest request)
    {
        List<AggregateFunction> ofDates = request.aggregates().stream()
                .filter(aggregate -> request.arguments(aggregate).anyMatch(ColumnSemantics::mayHoldInvalidDates))
                .collect(toImmutableList());
        boolean areEnds = table.handle().isNamedRelation() && ofDates.stream().allMatch(aggregate -> EXTREMES.contains(aggregate.getFunctionName()));
        return !ofDates.isEmpty() && (!areEnds || table.explain(request.query()).filter(ExplainedScan::skipsRows).isEmpty());
    }

    /**
     * Adds an order, if any, and a limit to a query of distinct rows, within it.
     *
     * @param all the query of all of them
     * @param byRanges how ranges give all of them
     * @param first the query with both on top
     * @return empty if Trino is to take the first rows, of all
     */
    public Optional<FirstRows> first(ConnectorSession session, AggregatedTable table, PreparedQuery all, Optional<ByRanges> byRanges, DistinctRows distinct, JdbcTableHandle first)
    {
        boolean sorted = first.getSortOrder().isPresent();
        // Text is not sorted as it is compared, and selected. In the order of an index MySQL may read much before it finds a row that passes the filter.
        Optional<PreparedQuery> sql = sorted && (table.isFiltered() || first.getSortOrder().get().stream().anyMatch(item -> TextCollation.isText(item.column())))
                ? Optional.empty()
                : Optional.of(distinct.first(first, client, session));
        if (byRanges.isPresent() && sql.isPresent() && !table.isFiltered() && areFewOf(table, distinct, first.getLimit().getAsLong()) && (!sorted || comeInOrder(table, sql.get()))) {
            return Optional.of(new FirstRows(sql.get(), false));
        }
        return byRanges.isPresent() && !byRanges.get().aggregation().gives(first) ? Optional.empty() : Optional.of(new FirstRows(sql.orElse(all), true));
    }

    // Where they are most of all, MySQL would have to read the whole table in one thread to know that there are no more. Columns may depend on each other.
    private static boolean areFewOf(AggregatedTable table, DistinctRows distinct, long limit)
    {
        return distinct.columns().stream().anyMatch(column -> table.groups(ImmutableList.of(column)) >= 2.0 * limit);
    }

    private static boolean comeInOrder(AggregatedTable table, PreparedQuery first)
    {
        return table.isOfAllRows() && table.explain(first).filter(scan -> !scan.keepsGroups()).isPresent();
    }

    // Whether there are more groups than one node should merge.
    private static boolean hasManyGroups(AggregatedTable table, AggregationRequest request, AggregationOptions options)
    {
        return !request.groupBy().isEmpty() && table.isOfAllRows() && table.groups(request.groupBy()) > options.maxGroups();
    }

    // Whether the groups are the distinct first columns of the primary key, with a few rows each. If a limit follows, MySQL finds the first of them
    // without reading the others.
    private static boolean areKeys(AggregatedTable table, AggregationRequest request)
    {
        return request.aggregates().isEmpty()
                && table.isOfAllRows()
                && table.rows() > table.options().targetRowsPerSplit()
                && table.rows() <= table.groups(request.groupBy()) * FEWEST_ROWS_OF_FOUND_VALUE
                && table.hasRanges()
                && LeadingColumns.count(table.key(), request.groupBy()) == request.groupBy().size();
    }

    // In the order of the primary key each group ends before the next one begins, while Trino would keep all of them. It is not known yet what comes
    // on top, such as HAVING. The reader of native rows groups them itself, if it knows the functions and types.
    private Optional<WholeGroupAggregation> wholeGroups(ConnectorSession session, AggregatedTable table, AggregationRequest request, AggregationOptions options)
    {
        boolean manyGroups = hasManyGroups(table, request, options);
        if (!manyGroups && !areKeys(table, request)) {
            return Optional.empty();
        }
        List<JdbcColumnHandle> groupBy = request.groupBy();
        TableKey key = table.key();
        int leading = LeadingColumns.count(key, groupBy);
        boolean areMostRows = table.groups(groupBy) * FEWEST_ROWS_OF_GROUP > table.rows();
        if (leading == 0 || (areMostRows && !request.aggregates().isEmpty()) || !table.hasManyRows(request.columns())) {
            return Optional.empty();
        }
        List<PartialColumn> columns = columns(session, request);
        // If MySQL computes the groups in the end, it has to do so in the key's order.
        Optional<WholeGroupAggregation> natively = RowAggregate.of(request.aggregates(), request.assignments(), request.results())
                .filter(_ -> table.options().nativeScans())
                .map(rowAggregates -> new WholeGroupAggregation(table.handle(), LeadingColumns.inOrder(key, groupBy), columns, leading, Optional.of(rowAggregates)))
                .filter(computedHere -> GroupsInOrder.isSupported(computedHere) && isReadNatively(table, request))
                .map(computedHere -> computedHere.of(withColumns(table.handle(), computedHere.rowColumns())));
        return natively.isPresent()
                ? natively
                : Optional.of(new WholeGroupAggregation(table.handle(), groupBy, columns, leading, Optional.empty())).filter(_ -> manyGroups && !areMostRows && isReadInOrder(table, request));
    }

    private List<PartialColumn> columns(ConnectorSession session, AggregationRequest request)
    {
        ImmutableList.Builder<PartialColumn> columns = ImmutableList.builder();
        for (int i = 0; i < request.aggregates().size(); i++) {
            JdbcExpression expression = client.implementAggregation(session, request.aggregates().get(i), request.assignments()).orElseThrow();
            columns.add(new PartialColumn(request.results().get(i), new ParameterizedExpression(expression.getExpression(), expression.getParameters())));
        }
        return columns.build();
    }

    // MySQL may prefer another index, or another order than the key's.
    private static boolean isReadInOrder(AggregatedTable table, AggregationRequest request)
    {
        return table.groupsPath(request.columns()).cuts(PRIMARY) && table.explain(request.query()).filter(scan -> !scan.keepsGroups()).isPresent();
    }

    // To find the group of each row costs MySQL more than to send the row. In the order of the primary key, or of an index that covers the query, MySQL
    // keeps no groups.
    private static boolean isBetterLeftToTrino(AggregatedTable table, AggregationRequest request)
    {
        return table.isOfAllRows()
                && table.hasRanges()
                && table.hasManyRows(request.columns())
                && table.explain(request.query()).filter(scan -> scan.keepsGroups() || scan.looksUpAllRows()).isPresent();
    }

    // MySQL spends less on batches than on groups of the same rows, and Trino groups in all its threads.
    private static boolean isReadNatively(AggregatedTable table, AggregationRequest request)
    {
        return table.handle().isNamedRelation() && table.isReadNatively(withColumns(table.handle(), request.columns()));
    }

    // InnoDB finds the ends of an index by looking there, and each value once by looking for the next.
    private static boolean skipsRows(AggregatedTable table, AggregationRequest request)
    {
        List<String> functions = request.aggregates().stream().map(aggregate -> aggregate.getFunctionName()).toList();
        return (functions.isEmpty() || functions.stream().anyMatch(EXTREMES::contains))
                && table.hasRanges()
                && table.explain(request.query()).filter(scan -> scan.skipsRows() && (!functions.isEmpty() || findsLargeGroups(table, scan))).isPresent();
    }

    // The rows that MySQL expects to look at are one of each value then.
    private static boolean findsLargeGroups(AggregatedTable table, ExplainedScan scan)
    {
        return scan.rows() * FEWEST_ROWS_OF_FOUND_VALUE <= table.rows();
    }
}
