package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.trino.matching.Capture;
import io.trino.matching.Captures;
import io.trino.matching.Pattern;
import io.trino.plugin.base.expression.ConnectorExpressionRule;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.Variable;

import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.trino.matching.Capture.newCapture;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.argument;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.argumentCount;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.call;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.functionName;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.variable;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;

/** Writes IS NULL for columns in which Trino takes only MySQL's NULLs for NULL. */
final class RewriteIsNull
        implements ConnectorExpressionRule<Call, ParameterizedExpression>
{
    private final Capture<Variable> tested = newCapture();
    private final UnaryOperator<String> quoted;
    private final ColumnSemantics columns;

    RewriteIsNull(UnaryOperator<String> quoted, ColumnSemantics columns)
    {
        this.quoted = quoted;
        this.columns = columns;
    }

    @Override
    public Pattern<Call> getPattern()
    {
        return call()
                .with(functionName().equalTo(IS_NULL_FUNCTION_NAME))
                .with(argumentCount().equalTo(1))
                .with(argument(0).matching(variable().capturedAs(tested)));
    }

    @Override
    public Optional<ParameterizedExpression> rewrite(Call call, Captures captures, RewriteContext<ParameterizedExpression> context)
    {
        JdbcColumnHandle column = (JdbcColumnHandle) context.getAssignment(captures.get(tested).getName());
        return columns.areNullAlike(context.getSession(), column)
                ? Optional.of(new ParameterizedExpression("(%s) IS NULL".formatted(quoted.apply(column.getColumnName())), ImmutableList.of()))
                : Optional.empty();
    }
}
