package io.mysqlpq.trino.nativescan;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.common.collect.ImmutableMap;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.mysqlpq.trino.expression.RowExpressions;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Names a table, and tells what the SQL of its pushed-down expressions does not tell.
 *
 * <p>A table handle keeps only the SQL of an expression. In JSON this is a plain named relation: a split takes along what its reader needs,
 * and a pushed change takes along its columns.
 */
@JsonTypeName("named")
public class FilteredRelation
        extends JdbcNamedRelationHandle
{
    private final Map<ParameterizedExpression, PushedExpression> expressions;
    private final RowExpressions rowExpressions;

    /** @param more expressions beyond those that the relation knows, by their SQL */
    public FilteredRelation(JdbcNamedRelationHandle relation, Map<ParameterizedExpression, PushedExpression> more)
    {
        this(relation, more, rowExpressions(relation));
    }

    /** @param rowExpressions what is computed of the rows as they are read, and SQL does not know */
    public FilteredRelation(JdbcNamedRelationHandle relation, Map<ParameterizedExpression, PushedExpression> more, RowExpressions rowExpressions)
    {
        super(relation.getSchemaTableName(), relation.getRemoteTableName(), relation.getComment());
        this.rowExpressions = requireNonNull(rowExpressions, "rowExpressions is null");
        this.expressions = relation instanceof FilteredRelation filtered
                ? ImmutableMap.<ParameterizedExpression, PushedExpression>builder().putAll(filtered.expressions).putAll(more).buildKeepingLast()
                : ImmutableMap.copyOf(more);
    }

    /**
     * Returns a filter of a native scan that keeps the rows which pass all pushed-down expressions. Empty if only SQL can keep them, or if
     * they are more than the extension accepts.
     */
    public static Optional<NativeFilter> filter(JdbcTableHandle table)
    {
        return expressions(table)
                .filter(expressions -> expressions.stream().allMatch(expression -> expression.filter().isPresent()))
                .map(expressions -> NativeFilter.all(expressions.stream().map(PushedExpression::filter).map(Optional::orElseThrow).collect(toImmutableList())))
                .filter(NativeFilter::isWithinLimits);
    }

    /** Returns the columns that the pushed-down expressions name. Empty if the table does not know them, as on a worker. */
    public static Optional<Set<JdbcColumnHandle>> columns(JdbcTableHandle table)
    {
        return expressions(table).map(expressions -> expressions.stream().flatMap(expression -> expression.columns().stream()).collect(toImmutableSet()));
    }

    /** Returns what is computed of the rows as they are read. */
    public static RowExpressions rowExpressions(JdbcTableHandle table)
    {
        return rowExpressions(table.getRelationHandle());
    }

    private static RowExpressions rowExpressions(JdbcRelationHandle relation)
    {
        return relation instanceof FilteredRelation filtered ? filtered.rowExpressions : RowExpressions.NONE;
    }

    @Override
    public boolean equals(Object other)
    {
        return super.equals(other) && rowExpressions.equals(((FilteredRelation) other).rowExpressions);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(super.hashCode(), rowExpressions);
    }

    private static Optional<List<PushedExpression>> expressions(JdbcTableHandle table)
    {
        Map<ParameterizedExpression, PushedExpression> known = table.getRelationHandle() instanceof FilteredRelation relation ? relation.expressions : ImmutableMap.of();
        List<ParameterizedExpression> pushed = table.getConstraintExpressions();
        return known.keySet().containsAll(pushed) ? Optional.of(pushed.stream().map(known::get).collect(toImmutableList())) : Optional.empty();
    }
}
