package io.mysqlpq.trino.aggregation;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import static java.util.Objects.requireNonNull;

/**
 * Holds one column of what a range gives.
 *
 * @param expression what MySQL computes for each group of the range
 */
public record PartialColumn(JdbcColumnHandle column, ParameterizedExpression expression)
{
    public PartialColumn
    {
        requireNonNull(column, "column is null");
        requireNonNull(expression, "expression is null");
    }
}
