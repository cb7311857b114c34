package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.SetMultimap;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.expression.StandardFunctions.CAST_FUNCTION_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TinyintType.TINYINT;
import static java.util.Locale.ENGLISH;

/**
 * Reads integer columns as wider ones, if a query only casts them to those.
 *
 * <p>To Trino the sum of an INT is the sum of a BIGINT; it then becomes the sum of a column. A cast in SQL would do too, but would make the
 * scan a query, which has no ranges.
 *
 * @param columns the wide columns by the variables that stand for the narrow ones
 */
public record WidenedIntegers(Map<String, JdbcColumnHandle> columns)
{
    private static final List<Type> WIDTHS = ImmutableList.of(TINYINT, SMALLINT, INTEGER, BIGINT);
    // For other types the name decides what Trino sees.
    private static final Set<String> MYSQL_TYPES = ImmutableSet.of("tinyint", "smallint", "mediumint", "int");
    private static final Map<Type, Integer> JDBC_TYPES = ImmutableMap.of(SMALLINT, Types.SMALLINT, INTEGER, Types.INTEGER, BIGINT, Types.BIGINT);

    public WidenedIntegers
    {
        columns = ImmutableMap.copyOf(columns);
    }

    public static WidenedIntegers of(List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        if (ImmutableSet.copyOf(assignments.values()).size() < assignments.size()) {
            return new WidenedIntegers(ImmutableMap.of());
        }
        ImmutableSetMultimap.Builder<String, Type> uses = ImmutableSetMultimap.builder();
        projections.forEach(projection -> addUses(projection, uses));
        SetMultimap<String, Type> types = uses.build();
        return new WidenedIntegers(assignments.entrySet().stream()
                .filter(assignment -> types.get(assignment.getKey()).size() == 1)
                .flatMap(assignment -> widened((JdbcColumnHandle) assignment.getValue(), getOnlyElement(types.get(assignment.getKey())))
                        .map(column -> Map.entry(assignment.getKey(), column)).stream())
                .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    private static void addUses(ConnectorExpression expression, ImmutableSetMultimap.Builder<String, Type> uses)
    {
        Optional<Variable> cast = castVariable(expression);
        if (cast.isPresent()) {
            uses.put(cast.get().getName(), expression.getType());
        }
        else if (expression instanceof Variable variable) {
            uses.put(variable.getName(), variable.getType());
        }
        else {
            expression.getChildren().forEach(child -> addUses(child, uses));
        }
    }

    private static Optional<Variable> castVariable(ConnectorExpression expression)
    {
        return expression instanceof Call call && call.getFunctionName().equals(CAST_FUNCTION_NAME) && call.getArguments().getFirst() instanceof Variable variable
                ? Optional.of(variable)
                : Optional.empty();
    }

    private static Optional<JdbcColumnHandle> widened(JdbcColumnHandle column, Type type)
    {
        JdbcTypeHandle handle = column.getJdbcTypeHandle();
        boolean widens = WIDTHS.contains(column.getColumnType())
                && WIDTHS.indexOf(type) > WIDTHS.indexOf(column.getColumnType())
                && MYSQL_TYPES.contains(handle.jdbcTypeName().orElse("").toLowerCase(ENGLISH));
        return widens ? Optional.of(JdbcColumnHandle.builderFrom(column)
                .setColumnType(type)
                // The name stays, by which planning knows what the column can hold.
                .setJdbcTypeHandle(new JdbcTypeHandle(JDBC_TYPES.get(type), handle.jdbcTypeName(), handle.columnSize(), handle.decimalDigits(), handle.arrayDimensions(), handle.caseSensitivity()))
                .build()) : Optional.empty();
    }

    public Map<String, JdbcColumnHandle> assignments(Map<String, ColumnHandle> narrow)
    {
        return narrow.entrySet().stream().collect(toImmutableMap(Map.Entry::getKey, assignment -> columns.getOrDefault(assignment.getKey(), (JdbcColumnHandle) assignment.getValue())));
    }

    /** The expression with the wide columns in place of the casts. */
    public ConnectorExpression replaceCasts(ConnectorExpression expression)
    {
        Optional<JdbcColumnHandle> wide = castVariable(expression).map(variable -> columns.get(variable.getName()));
        if (wide.isPresent()) {
            return new Variable(castVariable(expression).orElseThrow().getName(), expression.getType());
        }
        return expression instanceof Call call
                ? new Call(call.getType(), call.getFunctionName(), call.getArguments().stream().map(this::replaceCasts).collect(toImmutableList()))
                : expression;
    }

    /** Widens the filter. A filter on a narrow column becomes one on the wide column, with the same numbers. */
    public TupleDomain<ColumnHandle> widen(TupleDomain<ColumnHandle> filter)
    {
        Map<ColumnHandle, JdbcColumnHandle> wide = columns.values().stream().collect(toImmutableMap(column -> column, column -> column));
        return filter.getDomains()
                .map(domains -> TupleDomain.withColumnDomains(domains.entrySet().stream().collect(toImmutableMap(
                        entry -> wide.containsKey(entry.getKey()) ? wide.get(entry.getKey()) : entry.getKey(),
                        entry -> wide.containsKey(entry.getKey()) ? WidenedDomain.of(entry.getValue(), wide.get(entry.getKey()).getColumnType()) : entry.getValue()))))
                .orElse(filter);
    }
}
