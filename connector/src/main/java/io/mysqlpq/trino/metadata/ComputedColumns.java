package io.mysqlpq.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.Lowering;
import io.mysqlpq.trino.expression.RowExpressions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Makes columns of a scan of the expressions that Trino projects. */
final class ComputedColumns
{
    private static final String PREFIX = "_pfgnrtd_";

    private final Map<String, ColumnHandle> assignments;
    private final RowExpressions known;
    private final Optional<Lowering> lowering;
    private final Map<ConnectorExpression, Variable> made = new HashMap<>();
    private final Map<String, Expression> computed = new LinkedHashMap<>();
    private final Map<String, Assignment> kept = new LinkedHashMap<>();
    private int nextColumn;

    /**
     * @param assignments the columns that variables stand for
     * @param known what the scan computes already
     * @param lowering empty if no further expressions are to be computed
     */
    ComputedColumns(Map<String, ColumnHandle> assignments, RowExpressions known, Optional<Lowering> lowering, int nextColumn)
    {
        this.assignments = ImmutableMap.copyOf(assignments);
        this.known = requireNonNull(known, "known is null");
        this.lowering = requireNonNull(lowering, "lowering is null");
        this.nextColumn = nextColumn;
    }

    /** Returns what Trino has to compute yet, of the columns. */
    List<ConnectorExpression> projections(List<ConnectorExpression> projections)
    {
        return projections.stream().map(this::rewritten).collect(toImmutableList());
    }

    boolean hasNew()
    {
        return !made.isEmpty();
    }

    /** The columns that the projections name. */
    List<Assignment> assignments()
    {
        return ImmutableList.copyOf(kept.values());
    }

    /** What the scan computes for the projections. */
    RowExpressions expressions()
    {
        return known.withComputed(computed);
    }

    int nextColumn()
    {
        return nextColumn;
    }

    private ConnectorExpression rewritten(ConnectorExpression expression)
    {
        if (expression instanceof Constant) {
            return expression;
        }
        if (expression instanceof Variable variable) {
            keep(variable);
            return variable;
        }
        Variable known = made.get(expression);
        if (known != null) {
            return known;
        }
        Optional<Expression> lowered = lowering.flatMap(rules -> rules.lower(expression)).filter(result -> !result.columns().isEmpty());
        if (lowered.isPresent()) {
            return make(expression, lowered.get());
        }
        if (expression instanceof Call call) {
            return new Call(call.getType(), call.getFunctionName(), call.getArguments().stream().map(this::rewritten).collect(toImmutableList()));
        }
        keepAll(expression);
        return expression;
    }

    private void keepAll(ConnectorExpression expression)
    {
        if (expression instanceof Variable variable && assignments.containsKey(variable.getName())) {
            keep(variable);
        }
        expression.getChildren().forEach(this::keepAll);
    }

    private void keep(Variable variable)
    {
        JdbcColumnHandle column = (JdbcColumnHandle) assignments.get(variable.getName());
        kept.put(variable.getName(), new Assignment(variable.getName(), column, variable.getType()));
        Optional.ofNullable(known.computed().get(column.getColumnName())).ifPresent(expression -> computed.put(column.getColumnName(), expression));
    }

    private Variable make(ConnectorExpression expression, Expression lowered)
    {
        JdbcColumnHandle column = column(nextColumn, expression.getType());
        nextColumn++;
        Variable variable = new Variable(column.getColumnName(), column.getColumnType());
        made.put(expression, variable);
        computed.put(column.getColumnName(), lowered);
        kept.put(variable.getName(), new Assignment(variable.getName(), column, variable.getType()));
        return variable;
    }

    /** Makes a column that MySQL does not have. */
    static JdbcColumnHandle column(int number, Type type)
    {
        return new JdbcColumnHandle(PREFIX + number, new JdbcTypeHandle(Types.OTHER, Optional.of("computed"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()), type);
    }
}
