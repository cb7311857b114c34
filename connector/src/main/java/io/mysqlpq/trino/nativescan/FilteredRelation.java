package io.mysqlpq.trino.nativescan;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.common.collect.ImmutableMap;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Names a table, and knows what a native scan is asked for in place of the expressions that were pushed down to it.
 *
 * <p>A table handle keeps of an expression only the SQL. In JSON this is a plain named relation: a split takes along what its reader needs.
 */
@JsonTypeName("named")
public class FilteredRelation
        extends JdbcNamedRelationHandle
{
    private final Map<ParameterizedExpression, NativeFilter> filters;

    /** @param more filters beside those that the relation knows, by the SQL of their expressions */
    public FilteredRelation(JdbcNamedRelationHandle relation, Map<ParameterizedExpression, NativeFilter> more)
    {
        super(relation.getSchemaTableName(), relation.getRemoteTableName(), relation.getComment());
        this.filters = relation instanceof FilteredRelation filtered
                ? ImmutableMap.<ParameterizedExpression, NativeFilter>builder().putAll(filtered.filters).putAll(more).buildKeepingLast()
                : ImmutableMap.copyOf(more);
    }

    /** Keeps the rows that pass all expressions that were pushed down; empty if only SQL can, or if they are more than the extension takes. */
    public static Optional<NativeFilter> filter(JdbcTableHandle table)
    {
        Map<ParameterizedExpression, NativeFilter> filters = table.getRelationHandle() instanceof FilteredRelation relation ? relation.filters : ImmutableMap.of();
        List<ParameterizedExpression> expressions = table.getConstraintExpressions();
        return filters.keySet().containsAll(expressions)
                ? Optional.of(NativeFilter.all(expressions.stream().map(filters::get).collect(toImmutableList()))).filter(NativeFilter::isWithinLimits)
                : Optional.empty();
    }
}
