package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.mysqlpq.trino.expression.Expression.Column;
import io.mysqlpq.trino.expression.Expression.IntegerConstant;
import io.mysqlpq.trino.expression.Expression.TextConstant;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static java.util.Objects.requireNonNull;

/**
 * Lowers expressions of Trino to the language that the extension and the connector evaluate.
 *
 * <p>What comes out has the results and errors that Trino's own evaluation has. What has no such form is left to Trino.
 */
public final class Lowering
{
    private static final int MOST_NODES = 200;
    private static final int MOST_DEPTH = 20;

    private final Map<String, ColumnHandle> assignments;
    private final Predicate<JdbcColumnHandle> isReadable;
    private final Map<String, Expression> computed;

    /**
     * @param assignments the columns that variables stand for
     * @param isReadable whether an expression may be computed from a column
     */
    public Lowering(Map<String, ColumnHandle> assignments, Predicate<JdbcColumnHandle> isReadable)
    {
        this(assignments, isReadable, ImmutableMap.of());
    }

    /** @param computed what stands for columns that are computed themselves, by their names */
    public Lowering(Map<String, ColumnHandle> assignments, Predicate<JdbcColumnHandle> isReadable, Map<String, Expression> computed)
    {
        this.assignments = requireNonNull(assignments, "assignments is null");
        this.computed = ImmutableMap.copyOf(computed);
        this.isReadable = requireNonNull(isReadable, "isReadable is null");
    }

    public Optional<Expression> lower(ConnectorExpression expression)
    {
        return ValueType.isSupported(expression.getType()) ? lowered(expression) : Optional.empty();
    }

    private Optional<Expression> lowered(ConnectorExpression expression)
    {
        Optional<Expression> lowered = switch (expression) {
            case Variable variable -> column(variable);
            case Constant constant -> constant(constant);
            case Call call -> call(call);
            default -> Optional.empty();
        };
        return lowered.filter(result -> result.depth() <= MOST_DEPTH && result.nodes().limit(MOST_NODES + 1).count() <= MOST_NODES);
    }

    private Optional<Expression> column(Variable variable)
    {
        Type type = variable.getType();
        if (assignments.get(variable.getName()) instanceof JdbcColumnHandle column && computed.containsKey(column.getColumnName())) {
            return Optional.of(computed.get(column.getColumnName()));
        }
        return Optional.ofNullable((JdbcColumnHandle) assignments.get(variable.getName()))
                .filter(column -> ValueType.isSupported(type) && column.getColumnType().equals(type) && isReadable.test(column))
                .map(column -> new Column(column.getColumnName(), ValueType.isText(type) ? Optional.empty() : Optional.of(ValueType.interval(type))));
    }

    // Intervals of time are integers too, which only their own rules take.
    private static Optional<Expression> constant(Constant constant)
    {
        Type type = constant.getType();
        return switch (constant.getValue()) {
            case Boolean value when type instanceof BooleanType -> Optional.of(Terms.truth(value));
            // Trino's planner makes dates that none can hold of year(d) = 20000000, and fails with them later (483).
            case Long value when type instanceof DateType && value != value.intValue() -> Optional.empty();
            case Long value when ValueType.isSupported(type) || CalendarRules.isInterval(type) -> Optional.of(Terms.integer(value));
            case Int128 value when ValueType.isSupported(type) -> Optional.of(new IntegerConstant(value.toBigInteger()));
            case Slice value when type instanceof VarcharType -> text(value.toStringUtf8(), value);
            case Slice value when type instanceof CharType -> text(value.toStringUtf8(), value).filter(text -> !value.toStringUtf8().endsWith(" "));
            case null, default -> Optional.empty();
        };
    }

    private static Optional<Expression> text(String text, Slice bytes)
    {
        return utf8Slice(text).equals(bytes) ? Optional.of(new TextConstant(text)) : Optional.empty();
    }

    private Optional<Expression> call(Call call)
    {
        if (call.getFunctionName().getCatalogSchema().isPresent()) {
            return Optional.empty();
        }
        return LoweringRules.of(call.getFunctionName().getName())
                .flatMap(rule -> operands(arguments(call)).flatMap(operands -> rule.lower(call.getType(), operands)));
    }

    // IN takes its list apart.
    private static List<ConnectorExpression> arguments(Call call)
    {
        List<ConnectorExpression> arguments = call.getArguments();
        return call.getFunctionName().equals(IN_PREDICATE_FUNCTION_NAME)
                && arguments.getLast() instanceof Call array
                && array.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME)
                        ? ImmutableList.<ConnectorExpression>builder().add(arguments.getFirst()).addAll(array.getArguments()).build()
                        : arguments;
    }

    private Optional<List<Operand>> operands(List<ConnectorExpression> arguments)
    {
        ImmutableList.Builder<Operand> operands = ImmutableList.builder();
        for (ConnectorExpression argument : arguments) {
            Optional<Expression> lowered = lowered(argument);
            if (lowered.isEmpty()) {
                return Optional.empty();
            }
            operands.add(new Operand(argument.getType(), lowered.get()));
        }
        return Optional.of(operands.build());
    }
}
