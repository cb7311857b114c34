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

import java.math.BigDecimal;
import java.util.Optional;

import static io.trino.matching.Capture.newCapture;
import static io.trino.plugin.base.aggregation.AggregateFunctionPatterns.basicAggregation;
import static io.trino.plugin.base.aggregation.AggregateFunctionPatterns.functionName;
import static io.trino.plugin.base.aggregation.AggregateFunctionPatterns.singleArgument;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.type;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.variable;

/**
 * Averages decimals with one rounding, half away from zero, as Trino does.
 *
 * <p>MySQL's own average is rounded to four more digits; a cast to the column's type would round it again, up from 0.49999.
 * So the quotient is taken of integers: DIV cuts off, after half a unit was added. Its result is a BIGINT, which holds all
 * of Trino's short decimals and not the longer ones.
 */
final class ImplementAvgShortDecimal
        implements AggregateFunctionRule<JdbcExpression, ParameterizedExpression>
{
    private final Capture<Variable> argument = newCapture();

    @Override
    public Pattern<AggregateFunction> getPattern()
    {
        return basicAggregation()
                .with(functionName().equalTo("avg"))
                .with(singleArgument().matching(variable().with(type().matching(ImplementAvgShortDecimal::isShortDecimal)).capturedAs(argument)));
    }

    private static boolean isShortDecimal(Type type)
    {
        return type instanceof DecimalType decimal && decimal.isShort();
    }

    @Override
    public Optional<JdbcExpression> rewrite(AggregateFunction aggregate, Captures captures, RewriteContext<ParameterizedExpression> context)
    {
        Variable variable = captures.get(argument);
        JdbcColumnHandle column = (JdbcColumnHandle) context.getAssignment(variable.getName());
        return context.rewriteExpression(variable).map(rewritten -> new JdbcExpression(
                average(rewritten.expression(), ((DecimalType) column.getColumnType()).getScale()),
                rewritten.parameters(),
                column.getJdbcTypeHandle()));
    }

    // The column has no parameters, so it may stand there more than once.
    private static String average(String column, int scale)
    {
        String units = "sum(%s) * %s".formatted(column, BigDecimal.ONE.scaleByPowerOfTen(scale).toPlainString());
        return "((2 * %s + SIGN(sum(%s)) * count(%s)) DIV (2 * count(%s))) * %s".formatted(units, column, column, column, BigDecimal.ONE.movePointLeft(scale).toPlainString());
    }
}
