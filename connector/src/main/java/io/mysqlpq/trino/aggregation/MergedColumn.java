package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Holds one column of an aggregation's result and what it is merged from.
 *
 * @param partials what ranges give for it, in the order in which the function made them
 */
public record MergedColumn(JdbcColumnHandle column, MergeableFunction function, List<PartialColumn> partials)
{
    public MergedColumn
    {
        requireNonNull(column, "column is null");
        requireNonNull(function, "function is null");
        partials = ImmutableList.copyOf(partials);
        checkArgument(partials.size() == function.partialColumns(), "%s of %s partial columns", function, partials.size());
    }
}
