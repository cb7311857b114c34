package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.mysqlpq.trino.aggregation.NativeAggregation.Aggregate;
import io.mysqlpq.trino.aggregation.NativeAggregation.Argument;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.Expression.Not;
import io.mysqlpq.trino.expression.Expression.NullIf;
import io.mysqlpq.trino.expression.Lowering;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.mysqlpq.trino.types.NativeColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.handle.TableHandles.withColumns;
import static java.util.Objects.requireNonNull;

/** Describes aggregations that the extension computes. */
final class NativeAggregations
{
    // Functions of Trino, and those that give the same. For count_if, values are counted that are NULL unless they are true.
    private static final Map<String, String> SAME = ImmutableMap.of("bool_and", "min", "bool_or", "max", "any_value", "min", "count_if", "count");
    private static final Set<Class<?>> GROUPED = ImmutableSet.of(long.class, double.class, boolean.class, Slice.class, Int128.class);

    private final JdbcTableHandle table;
    private final Predicate<JdbcColumnHandle> isExact;

    /**
     * @param table with the columns of MySQL that are read for it
     * @param isExact whether the extension takes a column's values for what Trino takes them for
     */
    NativeAggregations(JdbcTableHandle table, Predicate<JdbcColumnHandle> isExact)
    {
        this.table = requireNonNull(table, "table is null");
        this.isExact = requireNonNull(isExact, "isExact is null");
    }

    /**
     * @param assignments the columns that variables in the functions stand for
     * @param results the columns of the functions' values, in their order
     * @return empty if the extension does not compute a function, or takes values for others than Trino does
     */
    Optional<NativeAggregation> of(List<AggregateFunction> functions, Map<String, ColumnHandle> assignments, List<JdbcColumnHandle> groupBy, List<JdbcColumnHandle> results)
    {
        ImmutableList.Builder<NativeAggregation.Key> keys = ImmutableList.builder();
        for (JdbcColumnHandle column : groupBy) {
            Optional<Expression> expression = value(column);
            if (expression.isEmpty()) {
                return Optional.empty();
            }
            keys.add(new NativeAggregation.Key(column, expression.get()));
        }
        ImmutableList.Builder<Aggregate> aggregates = ImmutableList.builder();
        for (int i = 0; i < functions.size(); i++) {
            Optional<Aggregate> aggregate = aggregate(functions.get(i), assignments, results.get(i));
            if (aggregate.isEmpty()) {
                return Optional.empty();
            }
            aggregates.add(aggregate.get());
        }
        NativeAggregation all = new NativeAggregation(table, keys.build(), aggregates.build());
        return Optional.of(all.of(withColumns(table, read(all))));
    }

    // The columns that expressions and conditions need.
    private List<JdbcColumnHandle> read(NativeAggregation aggregation)
    {
        Set<String> names = Stream.concat(
                FilteredRelation.rowExpressions(table).where().stream(),
                aggregation.expressions().stream()).flatMap(expression -> expression.columns().stream()).collect(toImmutableSet());
        return table.getColumns().orElseThrow().stream().filter(column -> names.contains(column.getColumnName())).collect(toImmutableList());
    }

    // What is only told apart and given, and not compared.
    private Optional<Expression> value(JdbcColumnHandle column)
    {
        return expression(column).or(() -> asItIs(column));
    }

    private Optional<Expression> expression(JdbcColumnHandle column)
    {
        String name = column.getColumnName();
        return new Lowering(ImmutableMap.of(name, column), isExact, FilteredRelation.rowExpressions(table).computed()).lower(new Variable(name, column.getColumnType()));
    }

    // Groups are of the values that the extension sends. GroupTable makes one group of both zeros of a floating number.
    private Optional<Expression> asItIs(JdbcColumnHandle column)
    {
        Type type = column.getColumnType();
        boolean supported = !FilteredRelation.rowExpressions(table).computed().containsKey(column.getColumnName())
                && GROUPED.contains(type.getJavaType())
                && NativeColumn.of(column.getJdbcTypeHandle(), type).isPresent();
        return supported ? Optional.of(new Expression.Column(column.getColumnName(), Optional.empty())) : Optional.empty();
    }

    private Optional<Expression> floating(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof DoubleType || column.getColumnType() instanceof RealType ? asItIs(column) : Optional.empty();
    }

    private Optional<Aggregate> aggregate(AggregateFunction function, Map<String, ColumnHandle> assignments, JdbcColumnHandle result)
    {
        String name = function.getFunctionName();
        Optional<MergeableFunction> mergeable = MergeableFunction.of(function, SAME.getOrDefault(name, name));
        if (mergeable.isEmpty() || !function.getArguments().stream().allMatch(Variable.class::isInstance)) {
            return Optional.empty();
        }
        List<JdbcColumnHandle> arguments = AggregationDecomposer.arguments(function, assignments);
        return switch (arguments.size()) {
            case 0 -> Optional.of(new Aggregate(mergeable.get(), ImmutableList.of(), result));
            case 1 -> argument(mergeable.get(), arguments.getFirst(), result)
                    .map(argument -> name.equals("count_if") ? isTrue(argument) : argument)
                    .map(argument -> new Aggregate(mergeable.get(), ImmutableList.of(argument), result));
            // The value that is given, and what is compared.
            default -> argument(mergeable.get(), arguments.getLast(), result)
                    .flatMap(compared -> value(arguments.getFirst())
                            .map(value -> new Aggregate(mergeable.get(), ImmutableList.of(compared, new Argument(arguments.getFirst(), value)), result)));
        };
    }

    private Optional<Argument> argument(MergeableFunction function, JdbcColumnHandle column, JdbcColumnHandle result)
    {
        return isComputedOf(function, column.getColumnType(), result.getColumnType())
                ? expression(column).or(() -> floating(column)).map(expression -> new Argument(column, expression))
                : Optional.empty();
    }

    private static Argument isTrue(Argument condition)
    {
        return new Argument(condition.column(), new NullIf(new Not(condition.expression()), condition.expression()));
    }

    private static boolean isComputedOf(MergeableFunction function, Type argument, Type result)
    {
        boolean isNumber = argument instanceof BigintType || argument instanceof DecimalType;
        return switch (function) {
            case COUNT -> true;
            // Trino compares CHAR as if it was filled up with spaces.
            case MIN, MAX, MIN_BY, MAX_BY -> !(argument instanceof CharType);
            case SUM -> (isNumber && (result instanceof BigintType || result instanceof DecimalType)) || isDouble(argument, result);
            case AVERAGE -> (isNumber && (result instanceof DoubleType || result instanceof DecimalType)) || isDouble(argument, result);
        };
    }

    // FLOAT reaches Trino with the six digits that MySQL shows. These would have to be made of each value that is added.
    private static boolean isDouble(Type argument, Type result)
    {
        return argument instanceof DoubleType && result instanceof DoubleType;
    }
}
