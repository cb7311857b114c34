package io.mysqlpq.trino.metadata;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.aggregation.AggregatedTable;
import io.mysqlpq.trino.aggregation.AggregationPlanner;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.Lowering;
import io.mysqlpq.trino.expression.RowExpressions;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.mysqlpq.trino.split.DescribedRelation;
import io.mysqlpq.trino.split.PushedQuery;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Variable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.aggregation.AggregationSessionProperties.aggregationOptions;
import static io.mysqlpq.trino.handle.TableHandles.withColumns;
import static io.mysqlpq.trino.handle.TableHandles.withNextColumn;
import static io.mysqlpq.trino.handle.TableHandles.withRelation;
import static io.mysqlpq.trino.handle.TableHandles.withResult;
import static io.trino.plugin.jdbc.JdbcMetadataSessionProperties.isComplexExpressionPushdown;
import static java.util.Objects.requireNonNull;

/** Plans what a scan of a table computes of its rows, without SQL: filters, columns and groups. */
final class ComputedRows
{
    private final ConnectorSession session;
    private final AggregationPlanner aggregations;
    private final JdbcTableHandle table;
    private final RowExpressions known;
    private final Supplier<AggregatedTable> rows;

    /** @param rows the same table with all columns that it may read */
    ComputedRows(ConnectorSession session, AggregationPlanner aggregations, JdbcTableHandle table, Supplier<AggregatedTable> rows)
    {
        this.session = requireNonNull(session, "session is null");
        this.aggregations = requireNonNull(aggregations, "aggregations is null");
        this.table = requireNonNull(table, "table is null");
        this.known = expressionsOf(table);
        this.rows = requireNonNull(rows, "rows is null");
    }

    /** Returns what the scan computes so far. */
    static RowExpressions expressionsOf(ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle ? FilteredRelation.rowExpressions(handle) : RowExpressions.NONE;
    }

    /** Empty if expressions are to be left to Trino. They pay where an aggregation of the rows follows, which is not known yet, and cost nothing elsewhere. */
    Optional<Lowering> lowering(Map<String, ColumnHandle> assignments)
    {
        if (!(table.getRelationHandle() instanceof JdbcNamedRelationHandle relation)
                || table.getLimit().isPresent()
                || table.getSortOrder().isPresent()
                || (relation instanceof DescribedRelation described && described.sample().isPresent())
                || !isComplexExpressionPushdown(session)
                || !aggregationOptions(session).natively()
                || assignments.values().stream().anyMatch(MysqlPqMetadata::isRowId)) {
            return Optional.empty();
        }
        return Optional.of(new Lowering(assignments, column -> aggregations.isExact(session, column), known.computed()));
    }

    /** Lets the scan filter its rows. Empty if Trino is to do so. */
    Optional<JdbcTableHandle> filtered(List<Expression> conditions)
    {
        // A filter is offered before it is known which columns the query reads.
        if (conditions.isEmpty() || (known.isEmpty() && !isComputedNatively(columns(new RowExpressions(ImmutableMap.of(), conditions).inputs())))) {
            return Optional.empty();
        }
        return Optional.of(withColumns(with(known.withWhere(conditions)), columns()));
    }

    /** Makes columns of the projections. Empty if all is left to Trino or known already, and the scan computes nothing so far. */
    Optional<ComputedColumns> columns(List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        Optional<Lowering> lowering = lowering(assignments);
        if (known.isEmpty() && lowering.isEmpty()) {
            return Optional.empty();
        }
        ComputedColumns computed = new ComputedColumns(assignments, known, lowering, table.getNextSyntheticColumnId());
        computed.projections(projections);
        return known.isEmpty() && (!computed.hasNew() || !isComputedNatively(columns())) ? Optional.empty() : Optional.of(computed);
    }

    /** Lets the scan give these columns. Empty if it does so already. */
    Optional<JdbcTableHandle> projected(ComputedColumns computed)
    {
        RowExpressions expressions = computed.expressions();
        Stream<JdbcColumnHandle> ofMysql = computed.assignments().stream().map(assignment -> (JdbcColumnHandle) assignment.getColumn()).filter(column -> !expressions.computed().containsKey(column.getColumnName()));
        List<JdbcColumnHandle> read = Stream.concat(ofMysql, columns(expressions.inputs()).stream()).distinct().collect(toImmutableList());
        if (expressions.equals(known) && table.getColumns().map(ImmutableSet::copyOf).equals(Optional.of(ImmutableSet.copyOf(read)))) {
            return Optional.empty();
        }
        return Optional.of(withNextColumn(withColumns(with(expressions), read), computed.nextColumn()));
    }

    /** Aggregates the rows. Empty if Trino is to do so: SQL does not know what the scan computes. */
    Optional<AggregationApplicationResult<ConnectorTableHandle>> aggregated(List<AggregateFunction> functions, Map<String, ColumnHandle> assignments, List<JdbcColumnHandle> groupBy)
    {
        int firstColumn = table.getNextSyntheticColumnId();
        List<JdbcColumnHandle> results = IntStream.range(0, functions.size())
                .mapToObj(i -> ComputedColumns.column(firstColumn + i, functions.get(i).getOutputType()))
                .collect(toImmutableList());
        return aggregations.natively(session, rows.get(), functions, assignments, groupBy, results, aggregationOptions(session))
                .map(ranges -> new AggregationApplicationResult<>(
                        withNextColumn(withResult(table, PushedQuery.ofNative(ranges), Stream.concat(groupBy.stream(), results.stream()).collect(toImmutableList())), firstColumn + functions.size()),
                        results.stream().map(column -> new Variable(column.getColumnName(), column.getColumnType())).collect(toImmutableList()),
                        results.stream().map(column -> new Assignment(column.getColumnName(), column, column.getColumnType())).collect(toImmutableList()),
                        ImmutableMap.of(),
                        true));
    }

    private boolean isComputedNatively(List<JdbcColumnHandle> columns)
    {
        return rows.get().isComputedNatively(withColumns(table, columns));
    }

    private JdbcTableHandle with(RowExpressions expressions)
    {
        return withRelation(table, new FilteredRelation(table.getRequiredNamedRelation(), ImmutableMap.of(), expressions));
    }

    private List<JdbcColumnHandle> columns()
    {
        return rows.get().columns();
    }

    private List<JdbcColumnHandle> columns(Set<String> names)
    {
        return columns().stream().filter(column -> names.contains(column.getColumnName())).collect(toImmutableList());
    }
}
