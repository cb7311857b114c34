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
 * Averages decimals with one rounding that counts, half away from zero, as Trino does.
 *
 * <p>MySQL's own average is rounded to four more digits than the column has, and a cast to the column's type would round
 * that again: 0.49999 up. The average is a quotient of n units of the last digit. Between it and a half of such a unit, where
 * rounding turns, are at least 1 / 2n units or nothing; so a quotient of 30 digits after the point, 12 more than the column
 * has, cannot pass one for any n that there is. It has as many digits as its argument, which is said here and not by a
 * variable of the session, by which views and generated columns would divide too. MySQL has 35 digits left for sums.
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
