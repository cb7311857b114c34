package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
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
 * Takes aggregations that MySQL may compute apart into what each range gives.
 *
 * <p>Exact sums travel as text: MySQL adds with up to 65 digits, and only the whole must fit Trino's type.
 */
public final class AggregationDecomposer
{
    private static final int LONGEST_DECIMAL = 100;

    private final UnaryOperator<String> quoted;
    private final List<PartialColumn> partials = new ArrayList<>();

    private AggregationDecomposer(UnaryOperator<String> quoted)
    {
        this.quoted = requireNonNull(quoted, "quoted is null");
    }

    /**
     * @param table what is aggregated
     * @param results the columns of the result that the aggregate functions give, one each
     * @return empty if one of the functions cannot be merged exactly, or the table is no table's rows
     */
    public static Optional<PartialAggregation> decompose(
            JdbcTableHandle table,
            List<AggregateFunction> functions,
            Map<String, ColumnHandle> assignments,
            List<JdbcColumnHandle> groupBy,
            List<JdbcColumnHandle> results,
            UnaryOperator<String> quoted)
    {
        checkArgument(functions.size() == results.size(), "%s functions give %s columns", functions.size(), results.size());
        if (!table.isNamedRelation() || table.getLimit().isPresent()) {
            return Optional.empty();
        }
        AggregationDecomposer decomposer = new AggregationDecomposer(quoted);
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
        if (function.getArguments().isEmpty()) {
            return function.getFunctionName().equals("count") ? Optional.of(new MergedColumn(result, COUNT, ImmutableList.of(count("*")))) : Optional.empty();
        }
        if (function.getArguments().size() > 1 || !(getOnlyElement(function.getArguments()) instanceof Variable variable)) {
            return Optional.empty();
        }
        return merged(function.getFunctionName(), (JdbcColumnHandle) assignments.get(variable.getName()), result);
    }

    private Optional<MergedColumn> merged(String function, JdbcColumnHandle argument, JdbcColumnHandle result)
    {
        String column = quoted.apply(argument.getColumnName());
        return switch (function) {
            case "count" -> Optional.of(new MergedColumn(result, COUNT, ImmutableList.of(count(column))));
            case "min" -> Optional.of(new MergedColumn(result, MIN, ImmutableList.of(extreme("min(%s)".formatted(column), argument))));
            case "max" -> Optional.of(new MergedColumn(result, MAX, ImmutableList.of(extreme("max(%s)".formatted(column), argument))));
            case "sum" -> sum(column, argument.getColumnType()).map(sum -> new MergedColumn(result, SUM, ImmutableList.of(sum)));
            case "avg" -> addend(column, argument.getColumnType(), result.getColumnType())
                    .map(sum -> new MergedColumn(result, AVERAGE, ImmutableList.of(sum, count(column))));
            default -> Optional.empty();
        };
    }

    private Optional<PartialColumn> sum(String column, Type type)
    {
        return switch (type) {
            case BigintType _,DecimalType _ -> Optional.of(exactSum(column));
            case DoubleType _ -> Optional.of(doubleSum(column));
            default -> Optional.empty();
        };
    }

    // Trino averages integers as DOUBLE.
    private Optional<PartialColumn> addend(String column, Type type, Type average)
    {
        if (type instanceof BigintType && average instanceof DoubleType) {
            return Optional.of(doubleSum("CAST(%s AS DOUBLE)".formatted(column)));
        }
        return sum(column, type);
    }

    private PartialColumn count(String argument)
    {
        return partial("count(%s)".formatted(argument), BIGINT, typeHandle(Types.BIGINT, "bigint", Optional.empty()));
    }

    private PartialColumn extreme(String expression, JdbcColumnHandle argument)
    {
        return partial(expression, argument.getColumnType(), argument.getJdbcTypeHandle());
    }

    private PartialColumn exactSum(String column)
    {
        return partial("sum(%s)".formatted(column), createVarcharType(LONGEST_DECIMAL), typeHandle(Types.VARCHAR, "varchar", Optional.of(LONGEST_DECIMAL)));
    }

    private PartialColumn doubleSum(String column)
    {
        return partial("sum(%s)".formatted(column), DOUBLE, typeHandle(Types.DOUBLE, "double", Optional.empty()));
    }

    private PartialColumn partial(String expression, Type type, JdbcTypeHandle typeHandle)
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
