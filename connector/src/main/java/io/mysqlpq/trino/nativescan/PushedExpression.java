package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableSet;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.ConnectorExpression;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * Tells what the SQL of a pushed-down expression does not tell.
 *
 * @param columns the columns that it names
 * @param filter the filter of a native scan in its place; empty if only SQL can tell which rows pass
 */
public record PushedExpression(Set<JdbcColumnHandle> columns, Optional<NativeFilter> filter)
{
    public PushedExpression
    {
        columns = ImmutableSet.copyOf(columns);
        requireNonNull(filter, "filter is null");
    }

    /** @param assignments the columns that the expression's variables stand for */
    public static PushedExpression of(ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        return new PushedExpression(NativeExpression.columns(expression, assignments), NativeExpression.filter(expression, assignments));
    }
}
