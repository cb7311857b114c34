package io.mysqlpq.trino.expression;

import com.google.common.collect.Lists;
import io.mysqlpq.trino.expression.Expression.Arithmetic;
import io.mysqlpq.trino.expression.Expression.Comparison;
import io.mysqlpq.trino.expression.Expression.IntegerConstant;
import io.mysqlpq.trino.expression.Expression.IsNull;
import io.mysqlpq.trino.expression.Expression.NullIf;
import io.mysqlpq.trino.expression.Expression.Within;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Makes expressions, and leaves out what is known beforehand. */
final class Terms
{
    private Terms()
    {}

    static Expression integer(long value)
    {
        return new IntegerConstant(BigInteger.valueOf(value));
    }

    static Expression truth(boolean value)
    {
        return new Comparison(Relation.EQUAL, integer(0), integer(value ? 0 : 1));
    }

    static Expression arithmetic(Operator operator, Expression left, Expression right)
    {
        Arithmetic arithmetic = new Arithmetic(operator, left, right);
        return left instanceof IntegerConstant first && right instanceof IntegerConstant second && !arithmetic.failsItself()
                ? new IntegerConstant(operator.exact(first.value(), second.value()))
                : arithmetic;
    }

    static Expression arithmetic(Operator operator, Expression left, long right)
    {
        return arithmetic(operator, left, integer(right));
    }

    /** @param message see {@link Within}, which names the operands */
    static Expression arithmeticWithin(Operator operator, Expression left, Expression right, Interval allowed, String message)
    {
        Within within = new Within(new Arithmetic(operator, left, right), allowed, message);
        return within.failsItself() ? within : arithmetic(operator, left, right);
    }

    static Expression timesPowerOfTen(Expression value, int digits)
    {
        return digits == 0 ? value : arithmetic(Operator.MULTIPLY, value, powerOfTen(digits));
    }

    static Expression roundedByPowerOfTen(Expression value, int digits)
    {
        return digits == 0 ? value : arithmetic(Operator.DIVIDE_HALF_UP, value, powerOfTen(digits));
    }

    private static Expression powerOfTen(int digits)
    {
        return new IntegerConstant(BigInteger.TEN.pow(digits));
    }

    /** @param message see {@link Within} */
    static Expression within(Expression value, Interval allowed, String message)
    {
        Within within = new Within(value, allowed, message);
        return within.failsItself() ? within : value;
    }

    /** An operand that Trino evaluates only if the one before it is not NULL. */
    static Expression afterNull(Expression before, Expression operand)
    {
        return skippedIf(new IsNull(before), operand);
    }

    /**
     * Keeps an expression from failing where Trino does not evaluate it.
     *
     * <p>Each operation that can fail gets NULL there, of which its result is NULL. Where the condition is not true the expression is what it was.
     */
    static Expression skippedIf(Expression condition, Expression expression)
    {
        if (!expression.canFail()) {
            return expression;
        }
        List<Expression> operands = new ArrayList<>(Lists.transform(expression.operands(), operand -> skippedIf(condition, operand)));
        if (expression.failsItself()) {
            operands.set(0, nullIf(condition, operands.getFirst()));
        }
        return expression.withOperands(operands);
    }

    // Arithmetic stays what it is, since an error may name its operands.
    private static Expression nullIf(Expression condition, Expression value)
    {
        return switch (value) {
            case Arithmetic(Operator operator, Expression left, Expression right) -> new Arithmetic(operator, nullIf(condition, left), right);
            case NullIf known when known.condition().equals(condition) -> known;
            default -> new NullIf(condition, value);
        };
    }
}
