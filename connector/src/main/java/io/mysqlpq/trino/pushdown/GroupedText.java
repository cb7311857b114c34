package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.ColumnHandle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/** Holds the text columns that a query groups by, if MySQL alone would group them otherwise than Trino. */
public record GroupedText(Set<JdbcColumnHandle> columns)
{
    public GroupedText
    {
        columns = ImmutableSet.copyOf(columns);
    }

    public static GroupedText of(Optional<List<List<JdbcColumnHandle>>> groupingSets)
    {
        return new GroupedText(groupingSets.stream()
                .flatMap(List::stream)
                .flatMap(List::stream)
                .filter(column -> TextCollation.isText(column) && !ComparedText.hasExactCollation(column))
                .collect(toImmutableSet()));
    }

    public boolean contains(ColumnHandle column)
    {
        return columns.contains((JdbcColumnHandle) column);
    }

    /** Adds these columns, as the query has to select them, to what it selects. */
    public Map<String, ParameterizedExpression> addTo(Map<String, ParameterizedExpression> selected, UnaryOperator<String> quoted)
    {
        ImmutableMap.Builder<String, ParameterizedExpression> all = ImmutableMap.<String, ParameterizedExpression>builder().putAll(selected);
        columns.forEach(column -> all.put(column.getColumnName(), new ParameterizedExpression(ComparedText.groupable(quoted.apply(column.getColumnName()), column), ImmutableList.of())));
        return all.buildOrThrow();
    }
}
