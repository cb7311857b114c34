package io.mysqlpq.trino.expression;

import io.mysqlpq.trino.expression.Expression.IsNull;
import io.mysqlpq.trino.expression.Expression.NullIf;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.expression.Operator.ADD;
import static io.mysqlpq.trino.expression.Operator.DIVIDE;
import static io.mysqlpq.trino.expression.Operator.DIVIDE_HALF_UP;
import static io.mysqlpq.trino.expression.Operator.MODULO;
import static io.mysqlpq.trino.expression.Operator.MULTIPLY;
import static io.mysqlpq.trino.expression.Operator.SUBTRACT;
import static io.mysqlpq.trino.expression.Terms.arithmetic;
import static io.mysqlpq.trino.expression.Terms.arithmeticWithin;
import static io.mysqlpq.trino.expression.Terms.roundedByPowerOfTen;
import static io.mysqlpq.trino.expression.Terms.timesPowerOfTen;
import static io.mysqlpq.trino.expression.Terms.within;
import static java.lang.Math.max;

/** Lowers arithmetic of integers and decimals. */
final class ArithmeticRules
{
    private static final String DECIMAL_OVERFLOW = "Decimal overflow";
    // Trino divides no further than this.
    private static final int MOST_DIGITS_ADDED = 37;

    private ArithmeticRules()
    {}

    static LoweringRule of(Operator operator)
    {
        return (result, operands) -> lower(operator, result, operands.getFirst(), operands.getLast());
    }

    private static Optional<Expression> lower(Operator operator, Type result, Operand left, Operand right)
    {
        if (ValueType.isInteger(result) && left.is(result) && right.is(result)) {
            return Optional.of(arithmeticWithin(operator, left.expression(), right.expression(), ValueType.interval(result), overflow(result, operator)));
        }
        if (result instanceof DecimalType decimal && left.type() instanceof DecimalType leftType && right.type() instanceof DecimalType rightType) {
            return decimal(operator, left.expression(), leftType.getScale(), right.expression(), rightType.getScale(), decimal);
        }
        return CalendarRules.shifted(operator, left, right);
    }

    private static String overflow(Type type, Operator operator)
    {
        return type.getDisplayName() + switch (operator) {
            case ADD -> " addition overflow: %1$s + %2$s";
            case SUBTRACT -> " subtraction overflow: %1$s - %2$s";
            case MULTIPLY -> " multiplication overflow: %1$s * %2$s";
            default -> " division overflow: %1$s / %2$s";
        };
    }

    static Optional<Expression> negate(Type result, List<Operand> operands)
    {
        Operand value = getOnlyElement(operands);
        if (!value.is(result) || !(ValueType.isInteger(result) || result instanceof DecimalType)) {
            return Optional.empty();
        }
        return Optional.of(arithmeticWithin(SUBTRACT, Terms.integer(0), value.expression(), ValueType.interval(result), result.getDisplayName() + " negation overflow: %2$s"));
    }

    private static Optional<Expression> decimal(Operator operator, Expression left, int leftScale, Expression right, int rightScale, DecimalType result)
    {
        return switch (operator) {
            case ADD, SUBTRACT -> {
                int scale = max(leftScale, rightScale);
                yield rounded(arithmetic(operator, scaled(left, scale - leftScale, right), scaled(right, scale - rightScale, left)), scale, result);
            }
            case MULTIPLY -> rounded(arithmetic(MULTIPLY, left, right), leftScale + rightScale, result);
            case DIVIDE -> quotient(DIVIDE_HALF_UP, left, result.getScale() - leftScale + rightScale, right, 0, result);
            case MODULO -> quotient(MODULO, left, max(0, rightScale - leftScale), right, max(0, leftScale - rightScale), result);
            default -> Optional.empty();
        };
    }

    // Trino adds digits only if no operand is NULL.
    private static Expression scaled(Expression value, int digits, Expression other)
    {
        Expression scaled = timesPowerOfTen(value, digits);
        return digits > 0 && scaled.failsItself() ? timesPowerOfTen(new NullIf(new IsNull(other), value), digits) : scaled;
    }

    private static Optional<Expression> rounded(Expression value, int scale, DecimalType result)
    {
        return scale < result.getScale() ? Optional.empty() : Optional.of(inside(roundedByPowerOfTen(value, scale - result.getScale()), result));
    }

    // Trino divides up to 256 bits. An operand that 128 bits may not hold is left to it.
    private static Optional<Expression> quotient(Operator operator, Expression left, int leftDigits, Expression right, int rightDigits, DecimalType result)
    {
        if (leftDigits < 0 || max(leftDigits, rightDigits) > MOST_DIGITS_ADDED) {
            return Optional.empty();
        }
        Expression dividend = timesPowerOfTen(left, leftDigits);
        Expression divisor = timesPowerOfTen(right, rightDigits);
        if ((leftDigits > 0 && dividend.failsItself()) || (rightDigits > 0 && divisor.failsItself())) {
            return Optional.empty();
        }
        return Optional.of(inside(arithmetic(operator, dividend, divisor), result));
    }

    private static Expression inside(Expression value, DecimalType type)
    {
        return within(value, ValueType.interval(type), DECIMAL_OVERFLOW);
    }
}
