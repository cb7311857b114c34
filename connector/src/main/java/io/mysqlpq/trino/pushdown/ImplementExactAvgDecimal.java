package io.mysqlpq.trino.pushdown;

import io.trino.matching.Capture;
import io.trino.matching.Captures;
import io.trino.matching.Pattern;
import io.trino.plugin.base.aggregation.AggregateFunctionRule;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Type;

import java.util.Optional;

import static io.trino.matching.Capture.newCapture;
import static io.trino.plugin.base.aggregation.AggregateFunctionPatterns.basicAggregation;
import static io.trino.plugin.base.aggregation.AggregateFunctionPatterns.functionName;
import static io.trino.plugin.base.aggregation.AggregateFunctionPatterns.singleArgument;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.type;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.variable;

/**
 * Averages decimals as Trino does, with one rounding that counts: half away from zero.
 *
 * <p>MySQL rounds its own average to four digits more than the column has. A cast to the column's type would round that again, so 0.49999
 * could end one unit too high. The average is a quotient of n units of the last digit. It is either exactly half of such a unit, where
 * rounding turns, or at least 1 / 2n units away. A quotient of 30 digits after the point, 12 more than the column has, cannot pass the
 * turning point for any n that there is.
 *
 * <p>The quotient has as many digits as its argument. The cast says so here. A session variable would say it too, but views and generated
 * columns would then divide by it as well. MySQL has 35 digits left for sums.
 */
final class ImplementExactAvgDecimal
        implements AggregateFunctionRule<JdbcExpression, ParameterizedExpression>
{
    private static final int MAX_SCALE = 18;
    private static final int MAX_DIGITS_BEFORE_POINT = 20;

    private final Capture<Variable> argument = newCapture();

    @Override
    public Pattern<AggregateFunction> getPattern()
    {
        return basicAggregation()
                .with(functionName().equalTo("avg"))
                .with(singleArgument().matching(variable().with(type().matching(ImplementExactAvgDecimal::isAveragedExactly)).capturedAs(argument)));
    }

    private static boolean isAveragedExactly(Type type)
    {
        return type instanceof DecimalType decimal
                && decimal.getScale() <= MAX_SCALE
                && decimal.getPrecision() - decimal.getScale() <= MAX_DIGITS_BEFORE_POINT;
    }

    @Override
    public Optional<JdbcExpression> rewrite(AggregateFunction aggregate, Captures captures, RewriteContext<ParameterizedExpression> context)
    {
        Variable variable = captures.get(argument);
        JdbcColumnHandle column = (JdbcColumnHandle) context.getAssignment(variable.getName());
        DecimalType type = (DecimalType) column.getColumnType();
        return context.rewriteExpression(variable).map(rewritten -> new JdbcExpression(
                "CAST(avg(CAST(%s AS DECIMAL(65, 30))) AS DECIMAL(%s, %s))".formatted(rewritten.expression(), type.getPrecision(), type.getScale()),
                rewritten.parameters(),
                column.getJdbcTypeHandle()));
    }
}
