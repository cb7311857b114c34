package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.aggregation.MergeFunction.AVERAGE;
import static io.mysqlpq.trino.aggregation.MergeFunction.COUNT;
import static io.mysqlpq.trino.aggregation.MergeFunction.MAX;
import static io.mysqlpq.trino.aggregation.MergeFunction.MIN;
import static io.mysqlpq.trino.aggregation.MergeFunction.SUM;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static java.util.Objects.requireNonNull;

/**
 * Splits an aggregation into partial aggregations, which MySQL computes for each range.
 *
 * <p>Exact sums travel as text: MySQL adds with up to 65 digits, and only the final sum must fit Trino's type.
 */
public final class AggregationDecomposer
{
    private static final int LONGEST_DECIMAL = 100;

    private final Function<AggregateFunction, JdbcExpression> pushed;
    private final UnaryOperator<String> quoted;
    private final List<PartialColumn> partials = new ArrayList<>();

    private AggregationDecomposer(Function<AggregateFunction, JdbcExpression> pushed, UnaryOperator<String> quoted)
    {
        this.pushed = requireNonNull(pushed, "pushed is null");
        this.quoted = requireNonNull(quoted, "quoted is null");
    }

    /**
     * @param table what is aggregated
     * @param results the columns of the result that the aggregate functions give, one each
     * @param pushed says how MySQL computes one of the functions
     * @return empty if one of the functions cannot be merged exactly, or if what is aggregated is not the rows of one table
     */
    public static Optional<PartialAggregation> decompose(
            JdbcTableHandle table,
            List<AggregateFunction> functions,
            Map<String, ColumnHandle> assignments,
            List<JdbcColumnHandle> groupBy,
            List<JdbcColumnHandle> results,
            Function<AggregateFunction, JdbcExpression> pushed,
            UnaryOperator<String> quoted)
    {
        checkArgument(functions.size() == results.size(), "%s functions give %s columns", functions.size(), results.size());
        if (!table.isNamedRelation() || table.getLimit().isPresent()) {
            return Optional.empty();
        }
        AggregationDecomposer decomposer = new AggregationDecomposer(pushed, quoted);
        ImmutableList.Builder<MergedColumn> aggregates = ImmutableList.builder();
        for (int i = 0; i < functions.size(); i++) {
            Optional<MergedColumn> merged = decomposer.merged(functions.get(i), assignments, results.get(i));
            if (merged.isEmpty()) {
                return Optional.empty();
            }
            aggregates.add(merged.get());
        }
        return Optional.of(new PartialAggregation(table, groupBy, aggregates.build()));
    }

    private Optional<MergedColumn> merged(AggregateFunction function, Map<String, ColumnHandle> assignments, JdbcColumnHandle result)
    {
        if (function.isDistinct() || function.getFilter().isPresent() || !function.getSortItems().isEmpty()) {
            return Optional.empty();
        }
        if (function.getFunctionName().equals("count")) {
            return Optional.of(new MergedColumn(result, COUNT, ImmutableList.of(count(expression(function)))));
        }
        if (function.getArguments().size() != 1 || !(getOnlyElement(function.getArguments()) instanceof Variable variable)) {
            return Optional.empty();
        }
        return merged(function, (JdbcColumnHandle) assignments.get(variable.getName()), result);
    }

    private Optional<MergedColumn> merged(AggregateFunction function, JdbcColumnHandle argument, JdbcColumnHandle result)
    {
        return switch (function.getFunctionName()) {
            case "min" -> Optional.of(new MergedColumn(result, MIN, ImmutableList.of(extreme(function, argument))));
            case "max" -> Optional.of(new MergedColumn(result, MAX, ImmutableList.of(extreme(function, argument))));
            case "sum" -> sum(expression(function), argument.getColumnType()).map(sum -> new MergedColumn(result, SUM, ImmutableList.of(sum)));
            case "avg" -> average(quoted.apply(argument.getColumnName()), argument.getColumnType(), result);
            default -> Optional.empty();
        };
    }

    private ParameterizedExpression expression(AggregateFunction function)
    {
        JdbcExpression expression = pushed.apply(function);
        return new ParameterizedExpression(expression.getExpression(), expression.getParameters());
    }

    private PartialColumn extreme(AggregateFunction function, JdbcColumnHandle argument)
    {
        return partial(expression(function), argument.getColumnType(), argument.getJdbcTypeHandle());
    }

    private Optional<PartialColumn> sum(ParameterizedExpression sum, Type type)
    {
        return switch (type) {
            case BigintType _ -> Optional.of(decimalText(sum, 0));
            case DecimalType decimal -> Optional.of(decimalText(sum, decimal.getScale()));
            case DoubleType _ -> Optional.of(partial(sum, DOUBLE, typeHandle(Types.DOUBLE, "double", Optional.empty())));
            default -> Optional.empty();
        };
    }

    // MySQL's decimal, read as text: it may have more digits than Trino's.
    private PartialColumn decimalText(ParameterizedExpression sum, int scale)
    {
        return partial(sum, createVarcharType(LONGEST_DECIMAL), new JdbcTypeHandle(Types.VARCHAR, Optional.of("decimal"), Optional.of(LONGEST_DECIMAL), Optional.of(scale), Optional.empty(), Optional.empty()));
    }

    // Trino averages integers as DOUBLE.
    private Optional<MergedColumn> average(String column, Type type, JdbcColumnHandle result)
    {
        Optional<PartialColumn> sum = type instanceof BigintType
                ? sum(expression("sum(CAST(%s AS DOUBLE))".formatted(column)), DOUBLE)
                : sum(expression("sum(%s)".formatted(column)), type);
        return sum.map(addend -> new MergedColumn(result, AVERAGE, ImmutableList.of(addend, count(expression("count(%s)".formatted(column))))));
    }

    private static ParameterizedExpression expression(String sql)
    {
        return new ParameterizedExpression(sql, ImmutableList.of());
    }

    private PartialColumn count(ParameterizedExpression count)
    {
        return partial(count, BIGINT, typeHandle(Types.BIGINT, "bigint", Optional.empty()));
    }

    private PartialColumn partial(ParameterizedExpression expression, Type type, JdbcTypeHandle typeHandle)
    {
        PartialColumn partial = new PartialColumn(new JdbcColumnHandle("_partial_%d".formatted(partials.size()), typeHandle, type), expression);
        partials.add(partial);
        return partial;
    }

    private static JdbcTypeHandle typeHandle(int jdbcType, String name, Optional<Integer> size)
    {
        return new JdbcTypeHandle(jdbcType, Optional.of(name), size, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
