package io.mysqlpq.trino.pushdown;

import io.trino.plugin.base.expression.ConnectorExpressionRewriter;
import io.trino.plugin.jdbc.expression.JdbcConnectorExpressionRewriterBuilder;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import java.util.function.UnaryOperator;

/** Lists the expressions of Trino that MySQL evaluates to exactly the same. */
public final class Expressions
{
    private Expressions()
    {}

    public static ConnectorExpressionRewriter<ParameterizedExpression> rewriter(UnaryOperator<String> quoted, ColumnSemantics columns)
    {
        return JdbcConnectorExpressionRewriterBuilder.newBuilder()
                .addStandardRules(quoted)
                .add(new RewriteExactComparison(columns))
                .add(new RewriteIsNull(columns))
                .map("$not(value: boolean)").to("NOT (value)")
                .build();
    }
}
