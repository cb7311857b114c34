package io.mysqlpq.trino.nativescan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.protocol.ScanCondition;
import io.mysqlpq.trino.protocol.ScanCondition.Choice;
import io.mysqlpq.trino.protocol.ScanCondition.Comparison;
import io.mysqlpq.trino.protocol.ScanCondition.Filter;
import io.mysqlpq.trino.protocol.ScanCondition.Interval;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Understands the SQL that {@link io.mysqlpq.trino.pushdown.Expressions} writes, which is all that Trino's handle of a table keeps of
 * a pushed expression.
 *
 * <p>Each operand stands in parentheses there. Text is asked for in a collation that orders it by code points, which is how the
 * extension compares it.
 */
sealed interface PushedExpression
{
    Pattern COLUMN = Pattern.compile("`((?:[^`]|``)+)`(?: COLLATE \\w+)?");
    Pattern CONVERTED_COLUMN = Pattern.compile("CONVERT\\(`((?:[^`]|``)+)` USING utf8mb4\\) COLLATE \\w+");
    Pattern OPERATOR = Pattern.compile(" (=|<>|<=|>=|<|>) ");

    Map<String, String> NEGATED = ImmutableMap.<String, String>builder()
            .put("=", "<>").put("<>", "=")
            .put("<", ">=").put(">=", "<")
            .put(">", "<=").put("<=", ">")
            .buildOrThrow();
    Map<String, String> TURNED = ImmutableMap.of("=", "=", "<>", "<>", "<", ">", ">", "<", "<=", ">=", ">=", "<=");

    record Column(String name)
            implements PushedExpression
    {}

    record Value(QueryParameter parameter)
            implements PushedExpression
    {}

    record Compared(PushedExpression left, String operator, PushedExpression right)
            implements PushedExpression
    {}

    record IsNull(PushedExpression tested)
            implements PushedExpression
    {}

    record Not(PushedExpression negated)
            implements PushedExpression
    {}

    record All(List<PushedExpression> operands)
            implements PushedExpression
    {}

    record Any(List<PushedExpression> operands)
            implements PushedExpression
    {}

    /** Empty for what is not known here. */
    static Optional<PushedExpression> parse(ParameterizedExpression expression)
    {
        Parser parser = new Parser(expression.expression(), new ArrayDeque<>(expression.parameters()));
        return parser.expression().filter(_ -> parser.isAtEnd());
    }

    /** What rows pass for which it is true; empty if the extension cannot tell. */
    default Optional<List<ScanCondition>> toConditions()
    {
        return toConditions(true);
    }

    // The rows for which it is true, or false: it is neither where a comparison meets NULL.
    private Optional<List<ScanCondition>> toConditions(boolean wanted)
    {
        return switch (this) {
            case Not(PushedExpression negated) -> negated.toConditions(!wanted);
            case All(List<PushedExpression> operands) -> wanted ? conjunction(operands, true) : disjunction(operands, false);
            case Any(List<PushedExpression> operands) -> wanted ? disjunction(operands, true) : conjunction(operands, false);
            case IsNull(Column(String column)) -> Optional.of(ImmutableList.of(new Filter(column, wanted ? ImmutableList.of() : ImmutableList.of(Interval.ALL), wanted)));
            case Compared(PushedExpression left, String operator, PushedExpression right) -> comparison(left, wanted ? operator : NEGATED.get(operator), right).map(ImmutableList::of);
            default -> Optional.empty();
        };
    }

    private static Optional<List<ScanCondition>> conjunction(List<PushedExpression> operands, boolean wanted)
    {
        return each(operands, wanted).map(conditions -> conditions.stream().flatMap(List::stream).collect(toImmutableList()));
    }

    private static Optional<List<ScanCondition>> disjunction(List<PushedExpression> operands, boolean wanted)
    {
        return each(operands, wanted).map(conditions -> ImmutableList.of(new Choice(conditions)));
    }

    private static Optional<List<List<ScanCondition>>> each(List<PushedExpression> operands, boolean wanted)
    {
        ImmutableList.Builder<List<ScanCondition>> all = ImmutableList.builder();
        for (PushedExpression operand : operands) {
            Optional<List<ScanCondition>> conditions = operand.toConditions(wanted);
            if (conditions.isEmpty()) {
                return Optional.empty();
            }
            all.add(conditions.get());
        }
        return Optional.of(all.build());
    }

    private static Optional<ScanCondition> comparison(PushedExpression left, String operator, PushedExpression right)
    {
        return switch (left) {
            case Column(String first) when right instanceof Column(String second) -> Optional.of(new Comparison(first, operator, second));
            case Column(String column) when right instanceof Value(QueryParameter value) -> filter(column, operator, value);
            case Value(QueryParameter value) when right instanceof Column(String column) -> filter(column, TURNED.get(operator), value);
            default -> Optional.empty();
        };
    }

    private static Optional<ScanCondition> filter(String column, String operator, QueryParameter parameter)
    {
        return parameter.getValue().flatMap(value -> NativeValue.write(parameter.getType(), value)).map(Optional::of).map(value -> new Filter(
                column,
                switch (operator) {
                    case "=" -> ImmutableList.of(new Interval(value, true, value, true));
                    case "<>" -> ImmutableList.of(new Interval(Optional.empty(), false, value, false), new Interval(value, false, Optional.empty(), false));
                    case "<" -> ImmutableList.of(new Interval(Optional.empty(), false, value, false));
                    case "<=" -> ImmutableList.of(new Interval(Optional.empty(), false, value, true));
                    case ">" -> ImmutableList.of(new Interval(value, false, Optional.empty(), false));
                    case ">=" -> ImmutableList.of(new Interval(value, true, Optional.empty(), false));
                    default -> throw new IllegalArgumentException("Not an operator: " + operator);
                },
                false));
    }

    final class Parser
    {
        private final String sql;
        private final Queue<QueryParameter> parameters;
        private int place;

        private Parser(String sql, Queue<QueryParameter> parameters)
        {
            this.sql = sql;
            this.parameters = parameters;
        }

        private boolean isAtEnd()
        {
            return place == sql.length() && parameters.isEmpty();
        }

        private Optional<PushedExpression> expression()
        {
            if (take("NOT ")) {
                return operand().map(Not::new);
            }
            if (take("?")) {
                return Optional.ofNullable(parameters.poll()).map(Value::new);
            }
            Optional<PushedExpression> column = column();
            if (column.isPresent()) {
                return column;
            }
            Optional<PushedExpression> first = operand();
            return first.flatMap(this::rest);
        }

        private Optional<PushedExpression> rest(PushedExpression first)
        {
            if (take(" IS NULL")) {
                return Optional.of(new IsNull(first));
            }
            if (sql.startsWith(" AND ", place)) {
                return operands(first, " AND ").map(All::new);
            }
            if (sql.startsWith(" OR ", place)) {
                return operands(first, " OR ").map(Any::new);
            }
            Optional<Matcher> operator = take(OPERATOR);
            return operator.isEmpty() ? Optional.empty() : operand().map(second -> new Compared(first, operator.get().group(1), second));
        }

        private Optional<PushedExpression> operand()
        {
            return take("(") ? expression().filter(_ -> take(")")) : Optional.empty();
        }

        private Optional<List<PushedExpression>> operands(PushedExpression first, String separator)
        {
            ImmutableList.Builder<PushedExpression> operands = ImmutableList.<PushedExpression>builder().add(first);
            while (take(separator)) {
                Optional<PushedExpression> next = operand();
                if (next.isEmpty()) {
                    return Optional.empty();
                }
                operands.add(next.get());
            }
            return Optional.of(operands.build());
        }

        private Optional<PushedExpression> column()
        {
            return take(COLUMN).or(() -> take(CONVERTED_COLUMN)).map(found -> new Column(found.group(1).replace("``", "`")));
        }

        private boolean take(String text)
        {
            boolean found = sql.startsWith(text, place);
            place += found ? text.length() : 0;
            return found;
        }

        private Optional<Matcher> take(Pattern pattern)
        {
            Matcher matcher = pattern.matcher(sql).region(place, sql.length());
            if (!matcher.lookingAt()) {
                return Optional.empty();
            }
            place = matcher.end();
            return Optional.of(matcher);
        }
    }
}
