package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.matching.Captures;
import io.trino.matching.Pattern;
import io.trino.plugin.base.expression.ConnectorExpressionRule;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.VarcharType;

import java.util.Optional;
import java.util.OptionalInt;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.call;
import static io.trino.plugin.base.expression.ConnectorExpressionPatterns.functionName;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.type.VarcharType.VARCHAR;

/** Matches VARCHAR columns with constant patterns. MySQL then matches code points, as Trino does; CHAR would be padded in Trino only. */
final class RewriteExactLike
        implements ConnectorExpressionRule<Call, ParameterizedExpression>
{
    @Override
    public Pattern<Call> getPattern()
    {
        return call().with(functionName().equalTo(LIKE_FUNCTION_NAME));
    }

    @Override
    public Optional<ParameterizedExpression> rewrite(Call call, Captures captures, RewriteContext<ParameterizedExpression> context)
    {
        if (!(call.getArguments().getFirst() instanceof Variable variable)
                || !(variable.getType() instanceof VarcharType)
                || !TextCollation.isText((JdbcColumnHandle) context.getAssignment(variable.getName()))) {
            return Optional.empty();
        }
        return pattern(call).flatMap(pattern -> context.defaultRewrite(variable).map(column -> new ParameterizedExpression(
                "(%s) LIKE ? ESCAPE '%s'".formatted(column.expression(), LikePattern.ESCAPE),
                ImmutableList.of(new QueryParameter(VARCHAR, Optional.of(utf8Slice(pattern)))))));
    }

    private static Optional<String> pattern(Call like)
    {
        Optional<String> pattern = text(like.getArguments().get(1));
        if (pattern.isEmpty() || like.getArguments().size() == 2) {
            return pattern.flatMap(present -> LikePattern.of(present, OptionalInt.empty()));
        }
        return text(like.getArguments().get(2))
                // Others Trino refuses.
                .filter(escape -> escape.length() == 1)
                .flatMap(escape -> LikePattern.of(pattern.get(), OptionalInt.of(escape.charAt(0))));
    }

    private static Optional<String> text(ConnectorExpression expression)
    {
        return expression instanceof Constant constant && constant.getValue() instanceof Slice value && constant.getType() instanceof VarcharType
                ? Optional.of(value.toStringUtf8())
                : Optional.empty();
    }
}
