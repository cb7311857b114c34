package io.mysqlpq.trino.expression;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.google.common.collect.ImmutableList;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Computes a value of a row: an integer of 128 bits at most, a truth value or text.
 *
 * <p>Both the extension and the connector evaluate this language. Truth values are the integers 0 and 1 to the connector. Arithmetic of NULL is
 * NULL, and never fails. Operands are all evaluated: there is no way to keep one from failing but to give it NULL.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@type")
@JsonSubTypes({
        @JsonSubTypes.Type(value = Expression.Column.class, name = "column"),
        @JsonSubTypes.Type(value = Expression.IntegerConstant.class, name = "integer"),
        @JsonSubTypes.Type(value = Expression.TextConstant.class, name = "text"),
        @JsonSubTypes.Type(value = Expression.Arithmetic.class, name = "arithmetic"),
        @JsonSubTypes.Type(value = Expression.Within.class, name = "within"),
        @JsonSubTypes.Type(value = Expression.Comparison.class, name = "comparison"),
        @JsonSubTypes.Type(value = Expression.And.class, name = "and"),
        @JsonSubTypes.Type(value = Expression.Or.class, name = "or"),
        @JsonSubTypes.Type(value = Expression.Not.class, name = "not"),
        @JsonSubTypes.Type(value = Expression.IsNull.class, name = "is_null"),
        @JsonSubTypes.Type(value = Expression.If.class, name = "if"),
        @JsonSubTypes.Type(value = Expression.NullIf.class, name = "null_if"),
        @JsonSubTypes.Type(value = Expression.Coalesce.class, name = "coalesce"),
        @JsonSubTypes.Type(value = Expression.Calendar.class, name = "calendar"),
        @JsonSubTypes.Type(value = Expression.AddMonths.class, name = "add_months"),
        @JsonSubTypes.Type(value = Expression.Like.class, name = "like"),
        @JsonSubTypes.Type(value = Expression.Length.class, name = "length"),
        @JsonSubTypes.Type(value = Expression.Substring.class, name = "substring"),
})
public sealed interface Expression
{
    List<Expression> operands();

    /** The same expression of other operands. */
    Expression withOperands(List<Expression> operands);

    /** What an integer or a truth value can be. Empty if this is text. */
    Optional<Interval> range();

    /** Whether this operation can fail by itself, for operands that do not. */
    default boolean failsItself()
    {
        return false;
    }

    default boolean canFail()
    {
        return failsItself() || operands().stream().anyMatch(Expression::canFail);
    }

    default Interval interval()
    {
        return range().orElseThrow(() -> new IllegalStateException("Text has no interval: " + this));
    }

    /** Whether 64 bits do not hold all values. */
    default boolean needs128Bits()
    {
        return range().isPresent() && !Interval.OF_64_BITS.contains(range().get());
    }

    /** The names of the columns that it is computed from. */
    default Set<String> columns()
    {
        return nodes()
                .filter(Column.class::isInstance)
                .map(node -> ((Column) node).name())
                .collect(toImmutableSet());
    }

    default Stream<Expression> nodes()
    {
        return Stream.concat(Stream.of(this), operands().stream().flatMap(Expression::nodes));
    }

    default int depth()
    {
        return 1 + operands().stream().mapToInt(Expression::depth).max().orElse(0);
    }

    private static Optional<Interval> union(List<Expression> expressions)
    {
        return expressions.stream().map(Expression::range).reduce((left, right) -> left.flatMap(interval -> right.map(interval::union))).orElseThrow();
    }

    /** An expression without operands. */
    sealed interface Leaf
            extends Expression
    {
        @Override
        default List<Expression> operands()
        {
            return ImmutableList.of();
        }

        @Override
        default Expression withOperands(List<Expression> operands)
        {
            return this;
        }
    }

    /** An expression that is true, false or NULL. */
    sealed interface Condition
            extends Expression
    {
        @Override
        default Optional<Interval> range()
        {
            return Optional.of(Interval.OF_TRUTH);
        }
    }

    /** @param range what its type can hold; empty if it is text, or nothing is computed of it, as of a time */
    record Column(String name, Optional<Interval> range)
            implements Leaf
    {
        public Column
        {
            requireNonNull(name, "name is null");
            requireNonNull(range, "range is null");
        }

        /** Whether its values are given as they are read. Numbers may be asked for as another type. */
        public boolean isAsItIs()
        {
            return range.isEmpty();
        }
    }

    record IntegerConstant(BigInteger value)
            implements Leaf
    {
        public IntegerConstant
        {
            requireNonNull(value, "value is null");
        }

        @Override
        public Optional<Interval> range()
        {
            return Optional.of(new Interval(value, value));
        }
    }

    record TextConstant(String value)
            implements Leaf
    {
        public TextConstant
        {
            requireNonNull(value, "value is null");
        }

        @Override
        public Optional<Interval> range()
        {
            return Optional.empty();
        }
    }

    /** Fails if it divides by zero, or if the result does not fit into 128 bits. */
    record Arithmetic(Operator operator, Expression left, Expression right)
            implements Expression
    {
        public Arithmetic
        {
            requireNonNull(operator, "operator is null");
            requireNonNull(left, "left is null");
            requireNonNull(right, "right is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(left, right);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Arithmetic(operator, operands.getFirst(), operands.getLast());
        }

        @Override
        public Optional<Interval> range()
        {
            return Optional.of(exactInterval().within(Interval.OF_128_BITS));
        }

        @Override
        public boolean failsItself()
        {
            return canOverflow() || (operator.isDivision() && right.interval().containsZero());
        }

        boolean canOverflow()
        {
            return !Interval.OF_128_BITS.contains(exactInterval());
        }

        private Interval exactInterval()
        {
            return operator.interval(left.interval(), right.interval());
        }
    }

    /**
     * A value that fails outside of an interval.
     *
     * @param message Trino's error message, a format of the operands of {@code value} (%1$s and %2$s, if it is arithmetic) and of the value (%3$s)
     */
    record Within(Expression value, Interval allowed, String message)
            implements Expression
    {
        public Within
        {
            requireNonNull(value, "value is null");
            requireNonNull(allowed, "allowed is null");
            requireNonNull(message, "message is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(value);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Within(operands.getFirst(), allowed, message);
        }

        @Override
        public Optional<Interval> range()
        {
            return Optional.of(value.interval().within(allowed));
        }

        @Override
        public boolean failsItself()
        {
            return !allowed.contains(value.interval());
        }
    }

    /** Compares two integers, or two texts by their code points. */
    record Comparison(Relation relation, Expression left, Expression right)
            implements Condition
    {
        public Comparison
        {
            requireNonNull(relation, "relation is null");
            requireNonNull(left, "left is null");
            requireNonNull(right, "right is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(left, right);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Comparison(relation, operands.getFirst(), operands.getLast());
        }
    }

    record And(List<Expression> operands)
            implements Condition
    {
        public And
        {
            operands = ImmutableList.copyOf(operands);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new And(operands);
        }
    }

    record Or(List<Expression> operands)
            implements Condition
    {
        public Or
        {
            operands = ImmutableList.copyOf(operands);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Or(operands);
        }
    }

    record Not(Expression operand)
            implements Condition
    {
        public Not
        {
            requireNonNull(operand, "operand is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(operand);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Not(operands.getFirst());
        }
    }

    record IsNull(Expression operand)
            implements Condition
    {
        public IsNull
        {
            requireNonNull(operand, "operand is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(operand);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new IsNull(operands.getFirst());
        }
    }

    /** @param otherwise the result if the condition is false or NULL */
    record If(Expression condition, Expression then, Expression otherwise)
            implements Expression
    {
        public If
        {
            requireNonNull(condition, "condition is null");
            requireNonNull(then, "then is null");
            requireNonNull(otherwise, "otherwise is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(condition, then, otherwise);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new If(operands.get(0), operands.get(1), operands.get(2));
        }

        @Override
        public Optional<Interval> range()
        {
            return union(ImmutableList.of(then, otherwise));
        }
    }

    /** A value that is NULL if the condition is true. */
    record NullIf(Expression condition, Expression value)
            implements Expression
    {
        public NullIf
        {
            requireNonNull(condition, "condition is null");
            requireNonNull(value, "value is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(condition, value);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new NullIf(operands.getFirst(), operands.getLast());
        }

        @Override
        public Optional<Interval> range()
        {
            return value.range();
        }
    }

    record Coalesce(List<Expression> operands)
            implements Expression
    {
        public Coalesce
        {
            operands = ImmutableList.copyOf(operands);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Coalesce(operands);
        }

        @Override
        public Optional<Interval> range()
        {
            return union(operands);
        }
    }

    /** A part of a date of the proleptic Gregorian calendar, which {@code days} counts from 1970 on. */
    record Calendar(CalendarField field, Expression days)
            implements Expression
    {
        public Calendar
        {
            requireNonNull(field, "field is null");
            requireNonNull(days, "days is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(days);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Calendar(field, operands.getFirst());
        }

        @Override
        public Optional<Interval> range()
        {
            return Optional.of(field.interval(days.interval()));
        }
    }

    /** A date some months later. A day that its month does not have becomes the month's last one. */
    record AddMonths(Expression days, int months)
            implements Expression
    {
        public AddMonths
        {
            requireNonNull(days, "days is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(days);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new AddMonths(operands.getFirst(), months);
        }

        @Override
        public Optional<Interval> range()
        {
            Interval interval = days.interval();
            return Optional.of(Interval.of(later(interval.low()), later(interval.high())));
        }

        private long later(BigInteger day)
        {
            return LocalDate.ofEpochDay(day.longValueExact()).plusMonths(months).toEpochDay();
        }
    }

    /** Whether text is like a pattern of SQL. */
    record Like(Expression text, String pattern, Optional<String> escape)
            implements Condition
    {
        public Like
        {
            requireNonNull(text, "text is null");
            requireNonNull(pattern, "pattern is null");
            requireNonNull(escape, "escape is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(text);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Like(operands.getFirst(), pattern, escape);
        }
    }

    /** The number of a text's code points. */
    record Length(Expression text)
            implements Expression
    {
        public Length
        {
            requireNonNull(text, "text is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(text);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Length(operands.getFirst());
        }

        @Override
        public Optional<Interval> range()
        {
            return Optional.of(Interval.of(0, Integer.MAX_VALUE));
        }
    }

    /**
     * A part of a text.
     *
     * @param start the first code point, which is 1, or -1 for the last one; the result is empty if there is none
     * @param length the most code points; all that follow if it is empty
     */
    record Substring(Expression text, long start, OptionalLong length)
            implements Expression
    {
        public Substring
        {
            requireNonNull(text, "text is null");
            requireNonNull(length, "length is null");
        }

        @Override
        public List<Expression> operands()
        {
            return ImmutableList.of(text);
        }

        @Override
        public Expression withOperands(List<Expression> operands)
        {
            return new Substring(operands.getFirst(), start, length);
        }

        @Override
        public Optional<Interval> range()
        {
            return Optional.empty();
        }
    }
}
