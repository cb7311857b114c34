package io.mysqlpq.trino.metadata;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.Lowering;
import io.mysqlpq.trino.expression.RowExpressions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.TupleDomain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.trino.plugin.base.expression.ConnectorExpressions.and;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractConjuncts;
import static java.util.Objects.requireNonNull;

/** Parts a filter into what MySQL may filter and what only a scan that computes expressions does. */
final class RowFilters
{
    private final Constraint constraint;
    private final RowExpressions known;

    /** @param known what the scan computes already. MySQL knows nothing of it */
    RowFilters(Constraint constraint, RowExpressions known)
    {
        this.constraint = requireNonNull(constraint, "constraint is null");
        this.known = requireNonNull(known, "known is null");
    }

    /**
     * @param conditions what the scan filters
     * @param left what Trino filters
     */
    record Taken(List<Expression> conditions, ConnectorExpression left)
    {}

    /** Returns the part of columns that MySQL has. */
    Constraint ofMysql()
    {
        if (known.computed().isEmpty()) {
            return constraint;
        }
        return new Constraint(
                constraint.getSummary().filter((column, _) -> !isComputed(column)),
                and(extractConjuncts(constraint.getExpression()).stream().filter(conjunct -> !isOfComputed(conjunct)).toList()),
                constraint.getAssignments());
    }

    /** Adds what was not offered to MySQL to what MySQL has left. */
    ConnectorExpression left(ConnectorExpression leftByMysql)
    {
        if (known.computed().isEmpty()) {
            return leftByMysql;
        }
        List<ConnectorExpression> left = new ArrayList<>(extractConjuncts(leftByMysql));
        extractConjuncts(constraint.getExpression()).stream().filter(this::isOfComputed).forEach(left::add);
        return and(left);
    }

    TupleDomain<ColumnHandle> leftDomains(TupleDomain<ColumnHandle> leftByMysql)
    {
        return known.computed().isEmpty() ? leftByMysql : leftByMysql.intersect(constraint.getSummary().filter((column, _) -> isComputed(column)));
    }

    /** Lets the scan filter by what is left, as far as it computes that. */
    Taken take(ConnectorExpression left, Optional<Lowering> lowering)
    {
        ImmutableList.Builder<Expression> conditions = ImmutableList.builder();
        List<ConnectorExpression> rest = new ArrayList<>();
        for (ConnectorExpression conjunct : extractConjuncts(left)) {
            Optional<Expression> condition = lowering.flatMap(rules -> rules.lower(conjunct)).filter(expression -> !expression.columns().isEmpty());
            condition.ifPresentOrElse(conditions::add, () -> rest.add(conjunct));
        }
        return new Taken(conditions.build(), and(rest));
    }

    private boolean isComputed(ColumnHandle column)
    {
        return known.computed().containsKey(((JdbcColumnHandle) column).getColumnName());
    }

    private boolean isOfComputed(ConnectorExpression expression)
    {
        return expression instanceof Variable variable
                ? Optional.ofNullable(constraint.getAssignments().get(variable.getName())).filter(this::isComputed).isPresent()
                : expression.getChildren().stream().anyMatch(this::isOfComputed);
    }
}
