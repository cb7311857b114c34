package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.protocol.ScanCondition;
import io.mysqlpq.trino.protocol.ScanCondition.Choice;
import io.mysqlpq.trino.protocol.ScanCondition.Comparison;
import io.mysqlpq.trino.protocol.ScanCondition.Filter;
import io.mysqlpq.trino.protocol.ScanCondition.Interval;
import io.mysqlpq.trino.types.CellType;
import io.mysqlpq.trino.types.NativeColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static java.util.Objects.requireNonNull;

/**
 * Writes an expression of Trino as conditions of a native scan: comparisons of columns with values and with each other, and IS NULL, within
 * AND, OR and NOT.
 *
 * <p>It gets only expressions that {@link io.mysqlpq.trino.pushdown.Expressions} writes as SQL. MySQL orders the values of their columns as
 * Trino does. Text is asked for in a collation that orders it by code points, which is how the extension compares it.
 */
public final class NativeExpression
{
    private static final Map<FunctionName, String> OPERATORS = ImmutableMap.<FunctionName, String>builder()
            .put(EQUAL_OPERATOR_FUNCTION_NAME, "=")
            .put(NOT_EQUAL_OPERATOR_FUNCTION_NAME, "<>")
            .put(LESS_THAN_OPERATOR_FUNCTION_NAME, "<")
            .put(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, "<=")
            .put(GREATER_THAN_OPERATOR_FUNCTION_NAME, ">")
            .put(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, ">=")
            .buildOrThrow();
    private static final Map<String, String> NEGATED = ImmutableMap.of("=", "<>", "<>", "=", "<", ">=", ">=", "<", ">", "<=", "<=", ">");
    private static final Map<String, String> TURNED = ImmutableMap.of("=", "=", "<>", "<>", "<", ">", ">", "<", "<=", ">=", ">=", "<=");

    private final Map<String, ColumnHandle> assignments;

    private NativeExpression(Map<String, ColumnHandle> assignments)
    {
        this.assignments = requireNonNull(assignments, "assignments is null");
    }

    /**
     * Keeps the rows for which the expression is true; empty if the extension cannot tell.
     *
     * @param assignments the columns that the expression's variables stand for
     */
    static Optional<NativeFilter> filter(ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        NativeExpression writer = new NativeExpression(assignments);
        return writer.conditions(expression, true).map(conditions -> new NativeFilter(writer.types(expression), conditions));
    }

    /** The columns that the expression names. */
    static Set<JdbcColumnHandle> columns(ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        NativeExpression reader = new NativeExpression(assignments);
        return variables(expression).map(reader::column).collect(toImmutableSet());
    }

    // The protocol knows the types of some columns only. Conditions ask the other columns only for NULL.
    private Map<String, String> types(ConnectorExpression expression)
    {
        return variables(expression)
                .map(this::column)
                .distinct()
                .filter(column -> NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType()).isPresent())
                .flatMap(column -> CellType.of(column.getJdbcTypeHandle(), column.getColumnType()).map(type -> Map.entry(column.getColumnName(), type.toString())).stream())
                .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Stream<Variable> variables(ConnectorExpression expression)
    {
        return expression instanceof Variable variable ? Stream.of(variable) : expression.getChildren().stream().flatMap(NativeExpression::variables);
    }

    private JdbcColumnHandle column(Variable variable)
    {
        return (JdbcColumnHandle) requireNonNull(assignments.get(variable.getName()), "no column for the variable");
    }

    // The rows for which it is true, or false: it is neither where a comparison meets NULL.
    private Optional<List<ScanCondition>> conditions(ConnectorExpression expression, boolean wanted)
    {
        if (!(expression instanceof Call call)) {
            return Optional.empty();
        }
        FunctionName function = call.getFunctionName();
        if (function.equals(NOT_FUNCTION_NAME)) {
            return conditions(getOnlyElement(call.getArguments()), !wanted);
        }
        if (function.equals(AND_FUNCTION_NAME)) {
            return wanted ? conjunction(call.getArguments(), true) : disjunction(call.getArguments(), false);
        }
        if (function.equals(OR_FUNCTION_NAME)) {
            return wanted ? disjunction(call.getArguments(), true) : conjunction(call.getArguments(), false);
        }
        if (function.equals(IS_NULL_FUNCTION_NAME)) {
            return nullness(getOnlyElement(call.getArguments()), wanted).map(ImmutableList::of);
        }
        return Optional.ofNullable(OPERATORS.get(function))
                .flatMap(operator -> comparison(call.getArguments().getFirst(), wanted ? operator : NEGATED.get(operator), call.getArguments().getLast()))
                .map(ImmutableList::of);
    }

    private Optional<List<ScanCondition>> conjunction(List<ConnectorExpression> operands, boolean wanted)
    {
        return each(operands, wanted).map(conditions -> conditions.stream().flatMap(List::stream).collect(toImmutableList()));
    }

    private Optional<List<ScanCondition>> disjunction(List<ConnectorExpression> operands, boolean wanted)
    {
        return each(operands, wanted).map(conditions -> ImmutableList.of(new Choice(conditions)));
    }

    private Optional<List<List<ScanCondition>>> each(List<ConnectorExpression> operands, boolean wanted)
    {
        ImmutableList.Builder<List<ScanCondition>> all = ImmutableList.builder();
        for (ConnectorExpression operand : operands) {
            Optional<List<ScanCondition>> conditions = conditions(operand, wanted);
            if (conditions.isEmpty()) {
                return Optional.empty();
            }
            all.add(conditions.get());
        }
        return Optional.of(all.build());
    }

    private Optional<ScanCondition> nullness(ConnectorExpression tested, boolean wanted)
    {
        return tested instanceof Variable variable
                ? Optional.of(new Filter(column(variable).getColumnName(), wanted ? ImmutableList.of() : ImmutableList.of(Interval.ALL), wanted))
                : Optional.empty();
    }

    private Optional<ScanCondition> comparison(ConnectorExpression left, String operator, ConnectorExpression right)
    {
        return switch (left) {
            case Variable first when right instanceof Variable second -> Optional.of(new Comparison(column(first).getColumnName(), operator, column(second).getColumnName()));
            case Variable column when right instanceof Constant value -> comparison(column, operator, value);
            case Constant value when right instanceof Variable column -> comparison(column, TURNED.get(operator), value);
            default -> Optional.empty();
        };
    }

    private Optional<ScanCondition> comparison(Variable column, String operator, Constant constant)
    {
        return Optional.ofNullable(constant.getValue())
                .flatMap(value -> NativeValue.write(constant.getType(), value))
                .map(value -> new Filter(column(column).getColumnName(), intervals(operator, Optional.of(value)), false));
    }

    private static List<Interval> intervals(String operator, Optional<String> value)
    {
        return switch (operator) {
            case "=" -> ImmutableList.of(new Interval(value, true, value, true));
            case "<>" -> ImmutableList.of(new Interval(Optional.empty(), false, value, false), new Interval(value, false, Optional.empty(), false));
            case "<" -> ImmutableList.of(new Interval(Optional.empty(), false, value, false));
            case "<=" -> ImmutableList.of(new Interval(Optional.empty(), false, value, true));
            case ">" -> ImmutableList.of(new Interval(value, false, Optional.empty(), false));
            case ">=" -> ImmutableList.of(new Interval(value, true, Optional.empty(), false));
            default -> throw new IllegalArgumentException("Not an operator: " + operator);
        };
    }
}
