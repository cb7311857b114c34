package io.mysqlpq.trino.metadata;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.expression.Lowering;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.mysqlpq.trino.nativescan.PushedExpression;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.expression.ConnectorExpression;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import static io.mysqlpq.trino.handle.TableHandles.withRelation;
import static io.mysqlpq.trino.metadata.ComputedRows.expressionsOf;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractConjuncts;
import static java.util.Objects.requireNonNull;

/** Lets MySQL filter the rows of a table, and the scan that reads them. Trino filters by the rest. */
final class FilterPushdown
{
    private final ConnectorSession session;
    private final JdbcClient client;
    private final Function<Constraint, Optional<ConstraintApplicationResult<ConnectorTableHandle>>> mysql;
    private final Function<JdbcTableHandle, ComputedRows> scan;
    private final UnaryOperator<ConnectorTableHandle> described;

    /**
     * @param mysql offers a filter of the table to MySQL
     * @param described adds to a handle what EXPLAIN shows of it
     */
    FilterPushdown(
            ConnectorSession session,
            JdbcClient client,
            Function<Constraint, Optional<ConstraintApplicationResult<ConnectorTableHandle>>> mysql,
            Function<JdbcTableHandle, ComputedRows> scan,
            UnaryOperator<ConnectorTableHandle> described)
    {
        this.session = requireNonNull(session, "session is null");
        this.client = requireNonNull(client, "client is null");
        this.mysql = requireNonNull(mysql, "mysql is null");
        this.scan = requireNonNull(scan, "scan is null");
        this.described = requireNonNull(described, "described is null");
    }

    Optional<ConstraintApplicationResult<ConnectorTableHandle>> apply(ConnectorTableHandle table, Constraint constraint)
    {
        RowFilters filters = new RowFilters(constraint, expressionsOf(table));
        Optional<ConstraintApplicationResult<ConnectorTableHandle>> better = filters.keeping(isBetterComputed(table, constraint.getAssignments()))
                .flatMap(keeping -> computed(table, keeping, filteredByMysql(keeping)));
        if (better.isPresent()) {
            return better;
        }
        Optional<ConstraintApplicationResult<ConnectorTableHandle>> byMysql = filteredByMysql(filters);
        return computed(table, filters, byMysql)
                .or(() -> byMysql.map(pushed -> new ConstraintApplicationResult<>(
                        pushed.getHandle(),
                        filters.leftDomains(pushed.getRemainingFilter()),
                        filters.left(pushed.getRemainingExpression()),
                        pushed.isPrecalculateStatistics())));
    }

    // MySQL could tell only by SQL which rows pass. To read them by SQL costs several times as much as a native scan.
    private Predicate<ConnectorExpression> isBetterComputed(ConnectorTableHandle table, Map<String, ColumnHandle> assignments)
    {
        Optional<Lowering> lowering = table instanceof JdbcTableHandle rows ? scan.apply(rows).lowering(assignments) : Optional.empty();
        return conjunct -> lowering.flatMap(rules -> rules.lower(conjunct)).isPresent()
                && PushedExpression.of(conjunct, assignments).filter().isEmpty()
                && client.convertPredicate(session, conjunct, assignments).isPresent();
    }

    private Optional<ConstraintApplicationResult<ConnectorTableHandle>> filteredByMysql(RowFilters filters)
    {
        Constraint constraint = filters.ofMysql();
        return mysql.apply(constraint).map(pushed -> pushed.transform(handle -> described.apply(withExpressions(handle, constraint))));
    }

    // The handle keeps only the SQL of an expression. MySQL needs no more.
    private ConnectorTableHandle withExpressions(ConnectorTableHandle table, Constraint constraint)
    {
        if (!(table instanceof JdbcTableHandle handle && handle.getRelationHandle() instanceof JdbcNamedRelationHandle relation)) {
            return table;
        }
        ImmutableMap.Builder<ParameterizedExpression, PushedExpression> expressions = ImmutableMap.builder();
        for (ConnectorExpression expression : extractConjuncts(constraint.getExpression())) {
            client.convertPredicate(session, expression, constraint.getAssignments())
                    .ifPresent(sql -> expressions.put(sql, PushedExpression.of(expression, constraint.getAssignments())));
        }
        return withRelation(handle, new FilteredRelation(relation, expressions.buildKeepingLast()));
    }

    // What MySQL does not filter as Trino does, the scan filters itself, if the extension reads it.
    private Optional<ConstraintApplicationResult<ConnectorTableHandle>> computed(
            ConnectorTableHandle table,
            RowFilters filters,
            Optional<ConstraintApplicationResult<ConnectorTableHandle>> byMysql)
    {
        // A handle of another kind is a pushed query's, of which nothing is computed.
        if (!(byMysql.map(ConstraintApplicationResult::getHandle).orElse(table) instanceof JdbcTableHandle rows)) {
            return Optional.empty();
        }
        ComputedRows computedRows = scan.apply(rows);
        RowFilters.Taken taken = filters.take(filters.left(byMysql.flatMap(ConstraintApplicationResult::getRemainingExpression)), computedRows.lowering(filters.assignments()));
        return computedRows.filtered(taken.conditions())
                .map(computed -> new ConstraintApplicationResult<>(
                        described.apply(computed),
                        filters.leftDomains(byMysql.map(ConstraintApplicationResult::getRemainingFilter).orElse(filters.ofMysql().getSummary())),
                        taken.left(),
                        true));
    }
}
