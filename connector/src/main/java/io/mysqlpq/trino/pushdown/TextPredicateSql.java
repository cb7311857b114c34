package io.mysqlpq.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.mysqlpq.trino.types.TextCollation;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/** Writes a filter on a text column so that MySQL lets through the same values as Trino. */
public final class TextPredicateSql
{
    private final String quoted;
    private final JdbcColumnHandle column;
    private final String comparable;

    public TextPredicateSql(String quoted, JdbcColumnHandle column)
    {
        this.quoted = requireNonNull(quoted, "quoted is null");
        this.column = requireNonNull(column, "column is null");
        this.comparable = ComparedText.comparable(quoted, column);
    }

    /** @param values some, and not all */
    public ParameterizedExpression toSql(ValueSet values)
    {
        if (!values.isDiscreteSet() && values.complement().isDiscreteSet()) {
            ParameterizedExpression others = isOneOf(comparable, "?", values(values.complement()));
            return new ParameterizedExpression("NOT (%s)".formatted(others.expression()), others.parameters());
        }
        if (values.isDiscreteSet()) {
            return join(" AND ", Stream.concat(isLikeOneOf(values(values)).stream(), Stream.of(isOneOf(comparable, "?", values(values)))).toList());
        }
        return join(" OR ", values.getRanges().getOrderedRanges().stream().map(this::isWithin).toList());
    }

    private static List<Slice> values(ValueSet discrete)
    {
        return discrete.getRanges().getOrderedRanges().stream().map(range -> (Slice) range.getSingleValue()).collect(toImmutableList());
    }

    // Lets MySQL use an index of the column. Its collation takes more strings for equal, so the exact comparison follows.
    private Optional<ParameterizedExpression> isLikeOneOf(List<Slice> values)
    {
        return ComparedText.hasExactCollation(column)
                ? Optional.empty()
                : TextCollation.of(column.getJdbcTypeHandle())
                        .flatMap(collation -> collation.likeness(values.stream().map(Slice::toStringUtf8).toList()))
                        .map(likeness -> isOneOf(quoted, likeness, values));
    }

    private ParameterizedExpression isOneOf(String compared, String placeholder, List<Slice> values)
    {
        List<QueryParameter> parameters = values.stream().map(this::parameter).collect(toImmutableList());
        return values.size() == 1
                ? new ParameterizedExpression("%s = %s".formatted(compared, placeholder), parameters)
                : new ParameterizedExpression("%s IN (%s)".formatted(compared, String.join(", ", nCopies(values.size(), placeholder))), parameters);
    }

    private ParameterizedExpression isWithin(Range range)
    {
        if (range.isSingleValue()) {
            return isOneOf(comparable, "?", ImmutableList.of((Slice) range.getSingleValue()));
        }
        ImmutableList.Builder<ParameterizedExpression> bounds = ImmutableList.builder();
        range.getLowValue().ifPresent(low -> bounds.add(compared(range.isLowInclusive() ? ">=" : ">", low)));
        range.getHighValue().ifPresent(high -> bounds.add(compared(range.isHighInclusive() ? "<=" : "<", high)));
        return join(" AND ", bounds.build());
    }

    private ParameterizedExpression compared(String operator, Object value)
    {
        return new ParameterizedExpression("%s %s ?".formatted(comparable, operator), ImmutableList.of(parameter((Slice) value)));
    }

    private QueryParameter parameter(Slice value)
    {
        return new QueryParameter(column.getJdbcTypeHandle(), column.getColumnType(), Optional.of(value));
    }

    private static ParameterizedExpression join(String operator, List<ParameterizedExpression> operands)
    {
        return new ParameterizedExpression(
                operands.stream().map(ParameterizedExpression::expression).collect(joining(operator, "(", ")")),
                operands.stream().flatMap(operand -> operand.parameters().stream()).collect(toImmutableList()));
    }
}
