package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.base.aggregation.AggregateFunctionRewriter;
import io.trino.plugin.base.aggregation.AggregateFunctionRule;
import io.trino.plugin.base.expression.ConnectorExpressionRewriter;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.aggregation.ImplementAvgFloatingPoint;
import io.trino.plugin.jdbc.aggregation.ImplementCount;
import io.trino.plugin.jdbc.aggregation.ImplementCountAll;
import io.trino.plugin.jdbc.aggregation.ImplementCountDistinct;
import io.trino.plugin.jdbc.aggregation.ImplementMinMax;
import io.trino.plugin.jdbc.aggregation.ImplementStddevPop;
import io.trino.plugin.jdbc.aggregation.ImplementStddevSamp;
import io.trino.plugin.jdbc.aggregation.ImplementSum;
import io.trino.plugin.jdbc.aggregation.ImplementVariancePop;
import io.trino.plugin.jdbc.aggregation.ImplementVarianceSamp;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.DecimalType;

import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static java.util.Objects.requireNonNull;

/**
 * Writes aggregations as SQL where MySQL's answer is exactly Trino's.
 *
 * <p>A sum of DOUBLE depends on the order of the rows in Trino too: MySQL's sum is one of Trino's possible answers.
 */
public final class AggregatePushdown
{
    private static final JdbcTypeHandle BIGINT = new JdbcTypeHandle(Types.BIGINT, Optional.of("bigint"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    private final ColumnSemantics columns;
    private final AggregateFunctionRewriter<JdbcExpression, ParameterizedExpression> rewriter;

    public AggregatePushdown(ConnectorExpressionRewriter<ParameterizedExpression> expressions, ColumnSemantics columns)
    {
        this.columns = requireNonNull(columns, "columns is null");
        rewriter = new AggregateFunctionRewriter<>(
                expressions,
                ImmutableSet.<AggregateFunctionRule<JdbcExpression, ParameterizedExpression>>builder()
                        .add(new ImplementCountAll(BIGINT))
                        .add(new ImplementCount(BIGINT))
                        .add(new ImplementCountDistinct(BIGINT, true))
                        .add(new ImplementMinMax(true))
                        .add(new ImplementSum(AggregatePushdown::typeHandle))
                        .add(new ImplementAvgFloatingPoint())
                        .add(new ImplementAvgBigint())
                        .add(new ImplementExactAvgDecimal())
                        .add(new ImplementStddevSamp())
                        .add(new ImplementStddevPop())
                        .add(new ImplementVarianceSamp())
                        .add(new ImplementVariancePop())
                        .build());
    }

    private static Optional<JdbcTypeHandle> typeHandle(DecimalType type)
    {
        return Optional.of(new JdbcTypeHandle(Types.NUMERIC, Optional.of("decimal"), Optional.of(type.getPrecision()), Optional.of(type.getScale()), Optional.empty(), Optional.empty()));
    }

    /** Whether MySQL forms the same groups, and has the columns of the aggregate functions in exactly the values that Trino would see. */
    public boolean supports(ConnectorSession session, List<AggregateFunction> aggregates, Map<String, ColumnHandle> assignments, List<List<ColumnHandle>> groupingSets)
    {
        // MySQL has no GROUPING SETS.
        return groupingSets.size() == 1
                && ComparedText.areSortable(getOnlyElement(groupingSets).stream().map(JdbcColumnHandle.class::cast).collect(toImmutableList()))
                && getOnlyElement(groupingSets).stream().allMatch(column -> columns.areGroupedAlike(session, (JdbcColumnHandle) column))
                && aggregates.stream().allMatch(aggregate -> aggregate.getArguments().stream()
                        .allMatch(argument -> argument instanceof Variable variable && isAggregatedAlike(session, aggregate, (JdbcColumnHandle) assignments.get(variable.getName()))));
    }

    private boolean isAggregatedAlike(ConnectorSession session, AggregateFunction aggregate, JdbcColumnHandle column)
    {
        if (aggregate.isDistinct() && !columns.areGroupedAlike(session, column)) {
            return false;
        }
        return switch (aggregate.getFunctionName()) {
            case "count" -> columns.areNullAlike(session, column);
            case "min", "max" -> columns.areGroupedAlike(session, column);
            default -> columns.areAddedAlike(session, column);
        };
    }

    public Optional<JdbcExpression> implement(ConnectorSession session, AggregateFunction aggregate, Map<String, ColumnHandle> assignments)
    {
        return rewriter.rewrite(session, aggregate, assignments);
    }
}
