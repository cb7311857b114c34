package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.expression.FunctionName;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.expression.StandardFunctions.ADD_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.CAST_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.COALESCE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.DIVIDE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IDENTICAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.MODULO_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.MULTIPLY_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NEGATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NULLIF_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.SUBTRACT_FUNCTION_NAME;

/** Lists the functions of Trino that can be lowered. */
final class LoweringRules
{
    private static final Map<String, LoweringRule> RULES = rules();

    private LoweringRules()
    {}

    static Optional<LoweringRule> of(String function)
    {
        return Optional.ofNullable(RULES.get(function));
    }

    private static Map<String, LoweringRule> rules()
    {
        ImmutableMap.Builder<String, LoweringRule> rules = ImmutableMap.builder();
        arithmetic((name, rule) -> rules.put(name.getName(), strict(rule)));
        logic((name, rule) -> rules.put(name.getName(), rule));
        CalendarRules.functions().forEach((name, rule) -> rules.put(name, strict(rule)));
        rules.put(LIKE_FUNCTION_NAME.getName(), TextRules::like);
        rules.put("length", TextRules::length);
        rules.put("substring", TextRules::substring);
        rules.put("substr", TextRules::substring);
        return rules.buildOrThrow();
    }

    private static void arithmetic(Rules rules)
    {
        rules.put(ADD_FUNCTION_NAME, ArithmeticRules.of(Operator.ADD));
        rules.put(SUBTRACT_FUNCTION_NAME, ArithmeticRules.of(Operator.SUBTRACT));
        rules.put(MULTIPLY_FUNCTION_NAME, ArithmeticRules.of(Operator.MULTIPLY));
        rules.put(DIVIDE_FUNCTION_NAME, ArithmeticRules.of(Operator.DIVIDE));
        rules.put(MODULO_FUNCTION_NAME, ArithmeticRules.of(Operator.MODULO));
        rules.put(NEGATE_FUNCTION_NAME, ArithmeticRules::negate);
        rules.put(CAST_FUNCTION_NAME, CastRules::cast);
    }

    private static void logic(Rules rules)
    {
        rules.put(EQUAL_OPERATOR_FUNCTION_NAME, LogicRules.comparison(Relation.EQUAL));
        rules.put(NOT_EQUAL_OPERATOR_FUNCTION_NAME, LogicRules.comparison(Relation.NOT_EQUAL));
        rules.put(LESS_THAN_OPERATOR_FUNCTION_NAME, LogicRules.comparison(Relation.LESS));
        rules.put(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, LogicRules.comparison(Relation.LESS_OR_EQUAL));
        rules.put(GREATER_THAN_OPERATOR_FUNCTION_NAME, LogicRules.comparison(Relation.GREATER));
        rules.put(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, LogicRules.comparison(Relation.GREATER_OR_EQUAL));
        rules.put(IDENTICAL_OPERATOR_FUNCTION_NAME, LogicRules::identical);
        rules.put(BETWEEN_FUNCTION_NAME, LogicRules::between);
        rules.put(IN_PREDICATE_FUNCTION_NAME, LogicRules::in);
        rules.put(AND_FUNCTION_NAME, LogicRules::and);
        rules.put(OR_FUNCTION_NAME, LogicRules::or);
        rules.put(NOT_FUNCTION_NAME, LogicRules::not);
        rules.put(IS_NULL_FUNCTION_NAME, LogicRules::isNull);
        rules.put(NULLIF_FUNCTION_NAME, LogicRules::nullIf);
        rules.put(COALESCE_FUNCTION_NAME, LogicRules::coalesce);
    }

    // A function of NULL is NULL, and Trino then leaves the arguments alone that come after it.
    private static LoweringRule strict(LoweringRule rule)
    {
        return (result, operands) -> rule.lower(result, IntStream.range(0, operands.size()).mapToObj(index -> afterNull(operands, index)).collect(toImmutableList()));
    }

    private static Operand afterNull(List<Operand> operands, int index)
    {
        Expression operand = operands.get(index).expression();
        for (int before = 0; before < index; before++) {
            operand = Terms.afterNull(operands.get(before).expression(), operand);
        }
        return new Operand(operands.get(index).type(), operand);
    }

    private interface Rules
    {
        void put(FunctionName function, LoweringRule rule);
    }
}
