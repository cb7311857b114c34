package io.mysqlpq.trino.aggregation;

import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.Projection;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.TableStatistics;
import io.trino.spi.type.DateType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.Type;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Estimates how many groups an aggregation has. */
public final class GroupEstimate
{
    // Most tables hold the moments of fewer years. There are several moments of each day, so that no count of days is taken for one of moments.
    private static final int YEARS = 25;
    private static final int FIRST_YEAR = 2001;
    private static final int MOMENTS_OF_DAY = 4;

    private GroupEstimate()
    {}

    /** @return NaN if it is not known */
    public static double groups(TableStatistics statistics, List<JdbcColumnHandle> groupBy)
    {
        double groups = 1;
        for (JdbcColumnHandle column : groupBy) {
            ColumnStatistics values = statistics.getColumnStatistics().getOrDefault(column, ColumnStatistics.empty());
            groups *= values.getDistinctValuesCount().getValue();
        }
        // Math.min would make NaN of an unknown number of rows.
        return groups > statistics.getRowCount().getValue() ? statistics.getRowCount().getValue() : groups;
    }

    /**
     * Estimates the groups of values that are computed.
     *
     * @return infinite if it is not known
     */
    static double groups(AggregatedTable table, NativeAggregation aggregation)
    {
        double groups = 1;
        for (NativeAggregation.Key key : aggregation.keys()) {
            List<JdbcColumnHandle> inputs = aggregation.table().getColumns().orElseThrow().stream().filter(column -> key.expression().columns().contains(column.getColumnName())).collect(toImmutableList());
            groups *= least(
                    OptionalDouble.of(table.groups(inputs)),
                    valuesOfType(key.expression()),
                    inputs.size() == 1 ? valuesOfMoments(key, inputs.getFirst()) : OptionalDouble.empty());
        }
        return groups;
    }

    private static double least(OptionalDouble... estimates)
    {
        return List.of(estimates).stream().flatMapToDouble(OptionalDouble::stream).filter(values -> !Double.isNaN(values)).min().orElse(Double.POSITIVE_INFINITY);
    }

    private static OptionalDouble valuesOfType(Expression expression)
    {
        return expression.range().map(interval -> OptionalDouble.of(interval.high().subtract(interval.low()).doubleValue() + 1)).orElseGet(OptionalDouble::empty);
    }

    // Months, hours of the day, and so on. Empty if there are as many as moments.
    private static OptionalDouble valuesOfMoments(NativeAggregation.Key key, JdbcColumnHandle input)
    {
        Optional<Block> moments = moments(input.getColumnType());
        if (moments.isEmpty() || key.expression() instanceof Expression.Column) {
            return OptionalDouble.empty();
        }
        Type type = key.column().getColumnType();
        try {
            Block values = new Projection(key.expression(), _ -> 0, type).evaluate(new Page(moments.get()));
            GroupNumbers numbers = new GroupNumbers(List.of(type));
            numbers.number(new Page(values));
            return numbers.count() < moments.get().getPositionCount() ? OptionalDouble.of(numbers.count()) : OptionalDouble.empty();
        }
        catch (TrinoException _) {
            // It fails of some moment, which the table may not have.
            return OptionalDouble.empty();
        }
    }

    private static Optional<Block> moments(Type type)
    {
        long first = LocalDate.of(FIRST_YEAR, 1, 1).toEpochDay();
        int days = (int) (LocalDate.of(FIRST_YEAR + YEARS, 1, 1).toEpochDay() - first);
        return switch (type) {
            case DateType _ -> Optional.of(block(type, days, i -> first + i));
            case TimestampType timestamp when timestamp.isShort() -> Optional.of(block(type, days * MOMENTS_OF_DAY, i -> (first * MOMENTS_OF_DAY + i) * TimeUnit.DAYS.toMicros(1) / MOMENTS_OF_DAY));
            default -> Optional.empty();
        };
    }

    private static Block block(Type type, int values, IntToLongFunction value)
    {
        BlockBuilder block = type.createBlockBuilder(null, values);
        IntStream.range(0, values).forEach(i -> type.writeLong(block, value.applyAsLong(i)));
        return block.build();
    }
}
