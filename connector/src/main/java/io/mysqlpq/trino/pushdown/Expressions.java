package io.mysqlpq.trino.pushdown;

import io.trino.plugin.base.expression.ConnectorExpressionRewriter;
import io.trino.plugin.jdbc.expression.JdbcConnectorExpressionRewriterBuilder;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import java.util.function.UnaryOperator;

/** Lists the expressions of Trino that MySQL evaluates with exactly the same result. */
public final class Expressions
{
    private Expressions()
    {}

    public static ConnectorExpressionRewriter<ParameterizedExpression> rewriter(UnaryOperator<String> quoted, ColumnSemantics columns)
    {
        return JdbcConnectorExpressionRewriterBuilder.newBuilder()
                // The first that fits is taken.
                .add(new RewriteText(quoted))
                .addStandardRules(quoted)
                .add(new RewriteExactComparison(columns))
                .add(new RewriteIsNull(quoted, columns))
                .add(new RewriteExactLike())
                .map("$not(value: boolean)").to("NOT (value)")
                .build();
    }
}
