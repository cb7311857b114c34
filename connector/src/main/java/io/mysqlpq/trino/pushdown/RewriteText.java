package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.matching.Captures;
import io.trino.matching.Pattern;
import io.trino.plugin.base.expression.ConnectorExpressionRule;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.expression.Variable;

import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.variable;

/** Writes text columns as MySQL has to compare them. Others are left to the next rule. */
final class RewriteText
        implements ConnectorExpressionRule<Variable, ParameterizedExpression>
{
    private final UnaryOperator<String> quoted;

    RewriteText(UnaryOperator<String> quoted)
    {
        this.quoted = quoted;
    }

    @Override
    public Pattern<Variable> getPattern()
    {
        return variable();
    }

    @Override
    public Optional<ParameterizedExpression> rewrite(Variable variable, Captures captures, RewriteContext<ParameterizedExpression> context)
    {
        JdbcColumnHandle column = (JdbcColumnHandle) context.getAssignment(variable.getName());
        return TextCollation.isText(column)
                ? Optional.of(new ParameterizedExpression(ComparedText.comparable(quoted.apply(column.getColumnName()), column), ImmutableList.of()))
                : Optional.empty();
    }
}
