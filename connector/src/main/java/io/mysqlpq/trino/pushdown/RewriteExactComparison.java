package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.matching.Captures;
import io.trino.matching.Pattern;
import io.trino.plugin.base.expression.ConnectorExpressionRule;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;

import java.util.Map;
import java.util.Optional;

import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.argumentCount;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.call;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.functionName;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.type;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IDENTICAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;

/** Compares columns of one type, or a column and a number or a string, where MySQL orders the column's values as Trino does. */
final class RewriteExactComparison
        implements ConnectorExpressionRule<Call, ParameterizedExpression>
{
    private static final Map<FunctionName, String> OPERATORS = ImmutableMap.<FunctionName, String>builder()
            .put(EQUAL_OPERATOR_FUNCTION_NAME, "=")
            .put(NOT_EQUAL_OPERATOR_FUNCTION_NAME, "<>")
            .put(LESS_THAN_OPERATOR_FUNCTION_NAME, "<")
            .put(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, "<=")
            .put(GREATER_THAN_OPERATOR_FUNCTION_NAME, ">")
            .put(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, ">=")
            .put(IDENTICAL_OPERATOR_FUNCTION_NAME, "<=>")
            .buildOrThrow();

    private final ColumnSemantics columns;

    RewriteExactComparison(ColumnSemantics columns)
    {
        this.columns = columns;
    }

    @Override
    public Pattern<Call> getPattern()
    {
        return call()
                .with(functionName().matching(OPERATORS::containsKey))
                .with(type().equalTo(BOOLEAN))
                .with(argumentCount().equalTo(2));
    }

    @Override
    public Optional<ParameterizedExpression> rewrite(Call call, Captures captures, RewriteContext<ParameterizedExpression> context)
    {
        ConnectorExpression left = call.getArguments().getFirst();
        ConnectorExpression right = call.getArguments().getLast();
        if (!isComparedAlike(left, context) || !isComparedAlike(right, context) || !left.getType().equals(right.getType())) {
            return Optional.empty();
        }
        return context.defaultRewrite(left).flatMap(first -> context.defaultRewrite(right).map(second -> new ParameterizedExpression(
                "(%s) %s (%s)".formatted(first.expression(), OPERATORS.get(call.getFunctionName()), second.expression()),
                ImmutableList.<QueryParameter>builder().addAll(first.parameters()).addAll(second.parameters()).build())));
    }

    private boolean isComparedAlike(ConnectorExpression expression, RewriteContext<ParameterizedExpression> context)
    {
        return switch (expression) {
            case Variable variable -> columns.areComparedAlike(context.getSession(), (JdbcColumnHandle) context.getAssignment(variable.getName()));
            // Only constants that are numbers or VARCHAR are rewritten.
            case Constant _ -> true;
            default -> false;
        };
    }
}
