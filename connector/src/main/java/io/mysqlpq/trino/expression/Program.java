package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.expression.Expression.AddMonths;
import io.mysqlpq.trino.expression.Expression.And;
import io.mysqlpq.trino.expression.Expression.Arithmetic;
import io.mysqlpq.trino.expression.Expression.Calendar;
import io.mysqlpq.trino.expression.Expression.Coalesce;
import io.mysqlpq.trino.expression.Expression.Column;
import io.mysqlpq.trino.expression.Expression.Comparison;
import io.mysqlpq.trino.expression.Expression.If;
import io.mysqlpq.trino.expression.Expression.IntegerConstant;
import io.mysqlpq.trino.expression.Expression.IsNull;
import io.mysqlpq.trino.expression.Expression.Length;
import io.mysqlpq.trino.expression.Expression.Like;
import io.mysqlpq.trino.expression.Expression.Not;
import io.mysqlpq.trino.expression.Expression.NullIf;
import io.mysqlpq.trino.expression.Expression.Or;
import io.mysqlpq.trino.expression.Expression.Substring;
import io.mysqlpq.trino.expression.Expression.TextConstant;
import io.mysqlpq.trino.expression.Expression.Within;
import io.trino.spi.Page;
import io.trino.spi.type.Int128;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

import static io.airlift.slice.Slices.utf8Slice;
import static java.util.Objects.requireNonNull;

/**
 * Evaluates an expression for many rows at once: one step after the other, each for all rows.
 *
 * <p>An expression that occurs twice is one step. It keeps its buffers, so one thread at a time may use it.
 */
final class Program
{
    private final ToIntFunction<String> channels;
    private final List<ColumnReader> columns = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final Map<Expression, Vector> vectors = new HashMap<>();
    private final List<Vector> buffers = new ArrayList<>();
    private final Vector result;

    /** @param channels the block of a page that holds a column */
    Program(Expression expression, ToIntFunction<String> channels)
    {
        this.channels = requireNonNull(channels, "channels is null");
        this.result = vector(expression);
    }

    /** @param positions the rows to evaluate it for; empty for all */
    Vector run(Page page, Optional<int[]> positions, int rows)
    {
        buffers.forEach(Vector::begin);
        for (ColumnReader column : columns) {
            column.read(page, positions, rows);
        }
        for (Step step : steps) {
            step.run(rows);
        }
        return result;
    }

    private Vector vector(Expression expression)
    {
        Vector known = vectors.get(expression);
        if (known != null) {
            return known;
        }
        Vector vector = buffer();
        if (expression instanceof Column column) {
            columns.add(new ColumnReader(column, channels.applyAsInt(column.name()), vector));
        }
        else {
            // After the steps of its operands.
            Step step = step(expression, vector);
            steps.add(step);
        }
        vectors.put(expression, vector);
        return vector;
    }

    private Vector buffer()
    {
        Vector vector = new Vector();
        buffers.add(vector);
        return vector;
    }

    private Step step(Expression expression, Vector result)
    {
        return switch (expression) {
            case Column _ -> throw new IllegalArgumentException("A column is read");
            case IntegerConstant constant -> constant(Int128.valueOf(constant.value()), result);
            case TextConstant constant -> constant(utf8Slice(constant.value()).getBytes(), result);
            case Arithmetic arithmetic -> arithmetic(arithmetic, result);
            case Within within -> within(within, result);
            case Comparison(Relation relation, Expression left, Expression right) -> new ComparisonStep(relation, vector(left), vector(right), isText(left), result);
            case And and -> new LogicStep(true, vectors(and.operands()), result);
            case Or or -> new LogicStep(false, vectors(or.operands()), result);
            case Not not -> ChoiceSteps.not(vector(not.operand()), result);
            case IsNull isNull -> ChoiceSteps.isNull(vector(isNull.operand()), result);
            case If(Expression condition, Expression then, Expression otherwise) -> ChoiceSteps.conditional(vector(condition), vector(then), vector(otherwise), isText(then), result);
            case NullIf(Expression condition, Expression value) -> ChoiceSteps.nullIf(vector(condition), vector(value), result);
            case Coalesce coalesce -> coalesce(coalesce, result);
            case Calendar(CalendarField field, Expression days) -> CalendarSteps.field(field, vector(days), result);
            case AddMonths(Expression days, int months) -> CalendarSteps.addMonths(vector(days), months, result);
            case Like like -> TextSteps.like(vector(like.text()), TextPattern.parse(like.pattern(), like.escape()).orElseThrow(), result);
            case Length length -> TextSteps.length(vector(length.text()), result);
            case Substring substring -> TextSteps.substring(vector(substring.text()), substring.start(), substring.length(), result);
        };
    }

    private List<Vector> vectors(List<Expression> expressions)
    {
        return expressions.stream().map(this::vector).collect(ImmutableList.toImmutableList());
    }

    private static boolean isText(Expression expression)
    {
        return expression.range().isEmpty();
    }

    private static Step constant(Int128 value, Vector result)
    {
        return rows -> result.fill(value.getHigh(), value.getLow(), rows);
    }

    private static Step constant(byte[] text, Vector result)
    {
        return rows -> {
            if (result.starts.length < rows) {
                result.reserveText(rows);
                result.text = text;
                Arrays.fill(result.ends, text.length);
            }
        };
    }

    private Step arithmetic(Arithmetic arithmetic, Vector result)
    {
        Vector left = vector(arithmetic.left());
        Vector right = vector(arithmetic.right());
        boolean isNarrow = !arithmetic.left().needs128Bits() && !arithmetic.right().needs128Bits() && !arithmetic.needs128Bits();
        return isNarrow
                ? new NarrowArithmetic(arithmetic.operator(), left, right, result)
                : new WideArithmetic(arithmetic.operator(), left, right, result, arithmetic.canOverflow(), arithmetic.needs128Bits());
    }

    private Step within(Within within, Vector result)
    {
        Optional<RangeCheck.Operands> operands = within.value() instanceof Arithmetic arithmetic
                ? Optional.of(new RangeCheck.Operands(vector(arithmetic.left()), vector(arithmetic.right())))
                : Optional.empty();
        return new RangeCheck(
                vector(within.value()),
                operands,
                int128(within.allowed().low()),
                int128(within.allowed().high()),
                within.needs128Bits(),
                within.message(),
                result);
    }

    private static Int128 int128(BigInteger value)
    {
        return Int128.valueOf(value);
    }

    private Step coalesce(Coalesce coalesce, Vector result)
    {
        List<Expression> operands = coalesce.operands();
        Vector first = vector(operands.getFirst());
        for (int index = 1; index < operands.size() - 1; index++) {
            Vector either = buffer();
            steps.add(ChoiceSteps.coalesce(first, vector(operands.get(index)), isText(coalesce), either));
            first = either;
        }
        return ChoiceSteps.coalesce(first, vector(operands.getLast()), isText(coalesce), result);
    }
}
