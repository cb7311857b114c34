package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.expression.Expression.And;
import io.mysqlpq.trino.expression.Expression.Coalesce;
import io.mysqlpq.trino.expression.Expression.Comparison;
import io.mysqlpq.trino.expression.Expression.IntegerConstant;
import io.mysqlpq.trino.expression.Expression.IsNull;
import io.mysqlpq.trino.expression.Expression.Not;
import io.mysqlpq.trino.expression.Expression.NullIf;
import io.mysqlpq.trino.expression.Expression.Or;
import io.mysqlpq.trino.expression.Expression.TextConstant;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.expression.Relation.EQUAL;
import static io.mysqlpq.trino.expression.Relation.GREATER;
import static io.mysqlpq.trino.expression.Relation.GREATER_OR_EQUAL;
import static io.mysqlpq.trino.expression.Relation.LESS_OR_EQUAL;
import static io.mysqlpq.trino.expression.Relation.NOT_EQUAL;

/** Lowers comparisons, logic and what chooses by NULL. Operands that Trino would not evaluate are kept from failing. */
final class LogicRules
{
    private LogicRules()
    {}

    static LoweringRule comparison(Relation relation)
    {
        return (_, operands) -> comparison(relation, operands.getFirst(), operands.getLast());
    }

    // Trino evaluates the operand first that has to be less, and the other one if it is not NULL.
    private static Optional<Expression> comparison(Relation relation, Operand left, Operand right)
    {
        if (!areComparable(relation, left.type(), right.type())) {
            return Optional.empty();
        }
        boolean isLeftFirst = relation != GREATER && relation != GREATER_OR_EQUAL;
        return Optional.of(new Comparison(
                relation,
                isLeftFirst ? left.expression() : Terms.afterNull(right.expression(), left.expression()),
                isLeftFirst ? Terms.afterNull(left.expression(), right.expression()) : right.expression()));
    }

    // Trino keeps CHAR without the spaces at its end, and orders it as if they were there.
    private static boolean areComparable(Relation relation, Type left, Type right)
    {
        return switch (left) {
            case VarcharType _ -> right instanceof VarcharType;
            case CharType _ -> right.equals(left) && (relation == EQUAL || relation == NOT_EQUAL);
            case BooleanType _ -> false;
            default -> right.equals(left) && ValueType.isSupported(left);
        };
    }

    static Optional<Expression> identical(Type result, List<Operand> operands)
    {
        Operand left = operands.getFirst();
        Operand right = operands.getLast();
        if (!areComparable(EQUAL, left.type(), right.type())) {
            return Optional.empty();
        }
        return Optional.of(new Coalesce(ImmutableList.of(
                new Comparison(EQUAL, left.expression(), right.expression()),
                new And(ImmutableList.of(new IsNull(left.expression()), new IsNull(right.expression()))))));
    }

    // Trino evaluates the value and the least one always.
    static Optional<Expression> between(Type result, List<Operand> operands)
    {
        Operand value = operands.get(0);
        Operand least = operands.get(1);
        return areComparable(GREATER_OR_EQUAL, value.type(), least.type())
                ? comparison(LESS_OR_EQUAL, value, operands.get(2)).map(high -> conjunction(ImmutableList.of(new Comparison(GREATER_OR_EQUAL, value.expression(), least.expression()), high)))
                : Optional.empty();
    }

    static Optional<Expression> in(Type result, List<Operand> operands)
    {
        Operand value = operands.getFirst();
        List<Operand> choices = operands.subList(1, operands.size());
        boolean isKnown = !choices.isEmpty() && choices.stream().allMatch(choice -> (choice.expression() instanceof IntegerConstant || choice.expression() instanceof TextConstant) && areComparable(EQUAL, value.type(), choice.type()));
        return isKnown
                ? Optional.of(disjunction(choices.stream().map(choice -> (Expression) new Comparison(EQUAL, value.expression(), choice.expression())).collect(toImmutableList())))
                : Optional.empty();
    }

    static Optional<Expression> and(Type result, List<Operand> operands)
    {
        return operands.isEmpty() ? Optional.of(Terms.truth(true)) : Optional.of(conjunction(expressions(operands)));
    }

    static Optional<Expression> or(Type result, List<Operand> operands)
    {
        return operands.isEmpty() ? Optional.of(Terms.truth(false)) : Optional.of(disjunction(expressions(operands)));
    }

    // Trino evaluates a term if none before it is false.
    private static Expression conjunction(List<Expression> terms)
    {
        return joined(terms, And::new, before -> new Not(only(before, And::new)));
    }

    // Trino evaluates a term if none before it is true.
    private static Expression disjunction(List<Expression> terms)
    {
        return joined(terms, Or::new, before -> only(before, Or::new));
    }

    static Optional<Expression> not(Type result, List<Operand> operands)
    {
        return Optional.of(new Not(getOnlyElement(operands).expression()));
    }

    static Optional<Expression> isNull(Type result, List<Operand> operands)
    {
        return Optional.of(new IsNull(getOnlyElement(operands).expression()));
    }

    static Optional<Expression> nullIf(Type result, List<Operand> operands)
    {
        return comparison(EQUAL, operands.getFirst(), operands.getLast())
                .map(condition -> new NullIf(condition, operands.getFirst().expression()));
    }

    // Trino evaluates an operand if all before it are NULL.
    static Optional<Expression> coalesce(Type result, List<Operand> operands)
    {
        return ValueType.isSupported(result)
                ? Optional.of(joined(expressions(operands), Coalesce::new, before -> new Not(new IsNull(only(before, Coalesce::new)))))
                : Optional.empty();
    }

    private static Expression joined(List<Expression> operands, Function<List<Expression>, Expression> join, Function<List<Expression>, Expression> isSkipped)
    {
        ImmutableList.Builder<Expression> joined = ImmutableList.builder();
        for (int index = 0; index < operands.size(); index++) {
            Expression operand = operands.get(index);
            joined.add(index == 0 || !operand.canFail() ? operand : Terms.skippedIf(isSkipped.apply(joined.build()), operand));
        }
        return only(joined.build(), join);
    }

    private static Expression only(List<Expression> operands, Function<List<Expression>, Expression> join)
    {
        return operands.size() == 1 ? operands.getFirst() : join.apply(operands);
    }

    private static List<Expression> expressions(List<Operand> operands)
    {
        return operands.stream().map(Operand::expression).collect(toImmutableList());
    }
}
