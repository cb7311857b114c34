package io.mysqlpq.trino.expression;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.mysqlpq.trino.expression.Expression.AddMonths;
import io.mysqlpq.trino.expression.Expression.And;
import io.mysqlpq.trino.expression.Expression.Arithmetic;
import io.mysqlpq.trino.expression.Expression.Calendar;
import io.mysqlpq.trino.expression.Expression.Coalesce;
import io.mysqlpq.trino.expression.Expression.Column;
import io.mysqlpq.trino.expression.Expression.Comparison;
import io.mysqlpq.trino.expression.Expression.If;
import io.mysqlpq.trino.expression.Expression.IntegerConstant;
import io.mysqlpq.trino.expression.Expression.IsNull;
import io.mysqlpq.trino.expression.Expression.Length;
import io.mysqlpq.trino.expression.Expression.Like;
import io.mysqlpq.trino.expression.Expression.Not;
import io.mysqlpq.trino.expression.Expression.NullIf;
import io.mysqlpq.trino.expression.Expression.Or;
import io.mysqlpq.trino.expression.Expression.Substring;
import io.mysqlpq.trino.expression.Expression.TextConstant;
import io.mysqlpq.trino.expression.Expression.Within;

/**
 * Writes an expression as the extension reads it: an array of the operator's name, the operands and then what else the operator takes, which is
 * text, numbers too.
 */
public final class ExtensionForm
{
    private ExtensionForm()
    {}

    public static ArrayNode write(Expression expression)
    {
        ArrayNode array = JsonNodeFactory.instance.arrayNode().add(operator(expression));
        expression.operands().forEach(operand -> array.add(write(operand)));
        switch (expression) {
            case Column column -> array.add(column.name());
            case IntegerConstant constant -> array.add(constant.value().toString());
            case TextConstant constant -> array.add(constant.value());
            case Within within -> array.add(within.allowed().low().toString()).add(within.allowed().high().toString());
            case AddMonths sum -> array.add(Integer.toString(sum.months()));
            case Like like -> {
                array.add(like.pattern());
                like.escape().ifPresent(array::add);
            }
            case Substring substring -> {
                array.add(Long.toString(substring.start()));
                substring.length().ifPresent(length -> array.add(Long.toString(length)));
            }
            default -> {}
        }
        return array;
    }

    private static String operator(Expression expression)
    {
        return switch (expression) {
            case Column _ -> "column";
            case IntegerConstant _ -> "integer";
            case TextConstant _ -> "text";
            case Arithmetic arithmetic -> arithmetic.operator().symbol();
            case Within _ -> "within";
            case Comparison comparison -> comparison.relation().symbol();
            case And _ -> "and";
            case Or _ -> "or";
            case Not _ -> "not";
            case IsNull _ -> "is_null";
            case If _ -> "if";
            case NullIf _ -> "null_if";
            case Coalesce _ -> "coalesce";
            case Calendar calendar -> calendar.field().symbol();
            case AddMonths _ -> "add_months";
            case Like _ -> "like";
            case Length _ -> "length";
            case Substring _ -> "substring";
        };
    }
}
