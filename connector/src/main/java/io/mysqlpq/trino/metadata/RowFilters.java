package io.mysqlpq.trino.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.plugin.base.expression.ConnectorExpressions.and;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractConjuncts;
import static java.util.Objects.requireNonNull;

/** Parts a filter into what MySQL may filter and what only a scan that computes expressions does. */
final class RowFilters
{
    private final Constraint constraint;
    private final RowExpressions known;
    private final Set<ConnectorExpression> kept;

    /** @param known what the scan computes already. MySQL knows nothing of it */
    RowFilters(Constraint constraint, RowExpressions known)
    {
        this(constraint, known, ImmutableSet.of());
    }

    private RowFilters(Constraint constraint, RowExpressions known, Set<ConnectorExpression> kept)
    {
        this.constraint = requireNonNull(constraint, "constraint is null");
        this.known = requireNonNull(known, "known is null");
        this.kept = ImmutableSet.copyOf(kept);
    }

    /**
     * Keeps some parts from MySQL. Empty if there are none of them.
     *
     * @param isBetterComputed of a part that MySQL might be offered
     */
    Optional<RowFilters> keeping(Predicate<ConnectorExpression> isBetterComputed)
    {
        Set<ConnectorExpression> better = extractConjuncts(constraint.getExpression()).stream().filter(conjunct -> !isOfComputed(conjunct) && isBetterComputed.test(conjunct)).collect(toImmutableSet());
        return better.isEmpty() ? Optional.empty() : Optional.of(new RowFilters(constraint, known, better));
    }

    Map<String, ColumnHandle> assignments()
    {
        return constraint.getAssignments();
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
        if (isAllOfMysql()) {
            return constraint;
        }
        return new Constraint(
                constraint.getSummary().filter((column, _) -> !isComputed(column)),
                and(extractConjuncts(constraint.getExpression()).stream().filter(conjunct -> !isKept(conjunct)).toList()),
                constraint.getAssignments());
    }

    /**
     * Adds what was not offered to MySQL to what MySQL has left.
     *
     * @param leftByMysql empty if that is all
     */
    ConnectorExpression left(Optional<ConnectorExpression> leftByMysql)
    {
        ConnectorExpression ofMysql = leftByMysql.orElseGet(() -> ofMysql().getExpression());
        if (isAllOfMysql()) {
            return ofMysql;
        }
        List<ConnectorExpression> left = new ArrayList<>(extractConjuncts(ofMysql));
        extractConjuncts(constraint.getExpression()).stream().filter(this::isKept).forEach(left::add);
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

    private boolean isAllOfMysql()
    {
        return known.computed().isEmpty() && kept.isEmpty();
    }

    private boolean isKept(ConnectorExpression conjunct)
    {
        return kept.contains(conjunct) || isOfComputed(conjunct);
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
