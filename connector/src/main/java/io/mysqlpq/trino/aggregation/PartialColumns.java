package io.mysqlpq.trino.aggregation;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static java.util.Objects.requireNonNull;

/**
 * Makes the columns that each range gives for one aggregation, and names them.
 *
 * <p>Exact sums travel as text: MySQL adds with up to 65 digits, and only the final sum must fit Trino's type.
 */
final class PartialColumns
{
    private static final int LONGEST_DECIMAL = 100;

    private final Function<AggregateFunction, JdbcExpression> pushed;
    private final UnaryOperator<String> quoted;
    private int columns;

    /** @param pushed how MySQL computes a function */
    PartialColumns(Function<AggregateFunction, JdbcExpression> pushed, UnaryOperator<String> quoted)
    {
        this.pushed = requireNonNull(pushed, "pushed is null");
        this.quoted = requireNonNull(quoted, "quoted is null");
    }

    ParameterizedExpression pushed(AggregateFunction function)
    {
        JdbcExpression expression = pushed.apply(function);
        return new ParameterizedExpression(expression.getExpression(), expression.getParameters());
    }

    String quoted(JdbcColumnHandle column)
    {
        return quoted.apply(column.getColumnName());
    }

    PartialColumn count(ParameterizedExpression count)
    {
        return partial(count, BIGINT, typeHandle(Types.BIGINT, "bigint"));
    }

    PartialColumn extreme(ParameterizedExpression extreme, JdbcColumnHandle argument)
    {
        return partial(extreme, argument.getColumnType(), argument.getJdbcTypeHandle());
    }

    /** Empty if sums of values of the type cannot be added exactly. */
    Optional<PartialColumn> sum(ParameterizedExpression sum, Type type)
    {
        return switch (type) {
            case BigintType _ -> Optional.of(decimalText(sum, 0));
            case DecimalType decimal -> Optional.of(decimalText(sum, decimal.getScale()));
            case DoubleType _ -> Optional.of(partial(sum, DOUBLE, typeHandle(Types.DOUBLE, "double")));
            default -> Optional.empty();
        };
    }

    // MySQL's decimal, read as text: it may have more digits than Trino's.
    private PartialColumn decimalText(ParameterizedExpression sum, int scale)
    {
        return partial(sum, createVarcharType(LONGEST_DECIMAL), new JdbcTypeHandle(Types.VARCHAR, Optional.of("decimal"), Optional.of(LONGEST_DECIMAL), Optional.of(scale), Optional.empty(), Optional.empty()));
    }

    private PartialColumn partial(ParameterizedExpression expression, Type type, JdbcTypeHandle typeHandle)
    {
        PartialColumn partial = new PartialColumn(new JdbcColumnHandle("_partial_%d".formatted(columns), typeHandle, type), expression);
        columns++;
        return partial;
    }

    private static JdbcTypeHandle typeHandle(int jdbcType, String name)
    {
        return new JdbcTypeHandle(jdbcType, Optional.of(name), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
}
