package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.expression.Expression.AddMonths;
import io.mysqlpq.trino.expression.Expression.Calendar;
import io.mysqlpq.trino.expression.Expression.Comparison;
import io.mysqlpq.trino.expression.Expression.If;
import io.trino.spi.type.DateType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.expression.CalendarField.DAY;
import static io.mysqlpq.trino.expression.CalendarField.DAY_OF_YEAR;
import static io.mysqlpq.trino.expression.CalendarField.MONTH;
import static io.mysqlpq.trino.expression.CalendarField.YEAR;
import static io.mysqlpq.trino.expression.Operator.ADD;
import static io.mysqlpq.trino.expression.Operator.FLOOR_DIVIDE;
import static io.mysqlpq.trino.expression.Operator.FLOOR_MODULO;
import static io.mysqlpq.trino.expression.Operator.MULTIPLY;
import static io.mysqlpq.trino.expression.Operator.SUBTRACT;
import static io.mysqlpq.trino.expression.Terms.arithmetic;
import static io.mysqlpq.trino.expression.Terms.integer;
import static io.mysqlpq.trino.expression.ValueType.MICROSECONDS_PER_DAY;
import static io.mysqlpq.trino.expression.ValueType.isTimestamp;
import static io.trino.spi.type.StandardTypes.INTERVAL_DAY_TO_SECOND;
import static io.trino.spi.type.StandardTypes.INTERVAL_YEAR_TO_MONTH;
import static java.util.Locale.ENGLISH;

/** Lowers what is computed of dates, and of timestamps without time zone. */
final class CalendarRules
{
    private static final long MICROSECONDS_PER_MILLISECOND = 1_000;
    private static final long MICROSECONDS_PER_SECOND = 1_000_000;
    private static final long MICROSECONDS_PER_MINUTE = 60 * MICROSECONDS_PER_SECOND;
    private static final long MICROSECONDS_PER_HOUR = 60 * MICROSECONDS_PER_MINUTE;
    private static final long MILLISECONDS_PER_DAY = 86_400_000;
    private static final int DAYS_PER_WEEK = 7;
    // Weeks begin on Monday, and 1970 began on a Thursday.
    private static final int DAYS_FROM_MONDAY_TO_1970 = 3;

    private static final Map<String, UnaryOperator<Expression>> FIRST_DAYS = ImmutableMap.of(
            "day", UnaryOperator.identity(),
            "week", days -> arithmetic(SUBTRACT, days, daysFromMonday(days)),
            "month", CalendarRules::firstOfMonth,
            "quarter", CalendarRules::firstOfQuarter,
            "year", days -> arithmetic(SUBTRACT, days, arithmetic(SUBTRACT, field(DAY_OF_YEAR, days), 1)));

    private static final Map<String, Long> PARTS_OF_DAY = ImmutableMap.of(
            "hour", MICROSECONDS_PER_HOUR,
            "minute", MICROSECONDS_PER_MINUTE,
            "second", MICROSECONDS_PER_SECOND,
            "millisecond", MICROSECONDS_PER_MILLISECOND);

    private CalendarRules()
    {}

    static Map<String, LoweringRule> functions()
    {
        return ImmutableMap.<String, LoweringRule>builder()
                .put("year", ofDays(days -> field(YEAR, days)))
                .put("quarter", ofDays(days -> arithmetic(FLOOR_DIVIDE, arithmetic(ADD, field(MONTH, days), 2), 3)))
                .put("month", ofDays(days -> field(MONTH, days)))
                .put("week", ofDays(CalendarRules::weekOfYear))
                .put("week_of_year", ofDays(CalendarRules::weekOfYear))
                .put("year_of_week", ofDays(days -> field(YEAR, thursday(days))))
                .put("yow", ofDays(days -> field(YEAR, thursday(days))))
                .put("day", ofDays(days -> field(DAY, days)))
                .put("day_of_month", ofDays(days -> field(DAY, days)))
                .put("day_of_week", ofDays(days -> arithmetic(ADD, daysFromMonday(days), 1)))
                .put("dow", ofDays(days -> arithmetic(ADD, daysFromMonday(days), 1)))
                .put("day_of_year", ofDays(days -> field(DAY_OF_YEAR, days)))
                .put("doy", ofDays(days -> field(DAY_OF_YEAR, days)))
                .put("last_day_of_month", ofDays(days -> arithmetic(SUBTRACT, new AddMonths(firstOfMonth(days), 1), 1)))
                .put("hour", partOfTime(MICROSECONDS_PER_DAY, MICROSECONDS_PER_HOUR))
                .put("minute", partOfTime(MICROSECONDS_PER_HOUR, MICROSECONDS_PER_MINUTE))
                .put("second", partOfTime(MICROSECONDS_PER_MINUTE, MICROSECONDS_PER_SECOND))
                .put("millisecond", partOfTime(MICROSECONDS_PER_SECOND, MICROSECONDS_PER_MILLISECOND))
                .put("date_trunc", CalendarRules::truncated)
                .buildOrThrow();
    }

    private static LoweringRule ofDays(UnaryOperator<Expression> function)
    {
        return (_, operands) -> days(getOnlyElement(operands)).map(function);
    }

    private static LoweringRule partOfTime(long whole, long part)
    {
        return (_, operands) -> {
            Operand value = getOnlyElement(operands);
            return isTimestamp(value.type()) ? Optional.of(arithmetic(FLOOR_DIVIDE, arithmetic(FLOOR_MODULO, value.expression(), whole), part)) : Optional.empty();
        };
    }

    private static Optional<Expression> truncated(Type result, List<Operand> operands)
    {
        Operand value = operands.getLast();
        return operands.getFirst().text().map(unit -> unit.toLowerCase(ENGLISH)).flatMap(unit -> {
            Long part = PARTS_OF_DAY.get(unit);
            if (part != null && isTimestamp(value.type())) {
                return Optional.of(arithmetic(SUBTRACT, value.expression(), arithmetic(FLOOR_MODULO, value.expression(), part)));
            }
            return Optional.ofNullable(FIRST_DAYS.get(unit)).flatMap(first -> days(value).map(first).map(days -> isTimestamp(value.type()) ? midnight(days) : days));
        });
    }

    /** The day of a date or timestamp, if the calendar is known for all values. */
    private static Optional<Expression> days(Operand value)
    {
        if (!(value.type() instanceof DateType) && !isTimestamp(value.type())) {
            return Optional.empty();
        }
        Expression days = isTimestamp(value.type()) ? arithmetic(FLOOR_DIVIDE, value.expression(), MICROSECONDS_PER_DAY) : value.expression();
        return Optional.of(days).filter(CalendarRules::hasCalendar);
    }

    private static boolean hasCalendar(Expression days)
    {
        return CalendarField.DAYS.contains(days.interval());
    }

    private static Expression midnight(Expression days)
    {
        return arithmetic(MULTIPLY, days, MICROSECONDS_PER_DAY);
    }

    private static Expression field(CalendarField field, Expression days)
    {
        return new Calendar(field, days);
    }

    private static Expression daysFromMonday(Expression days)
    {
        return arithmetic(FLOOR_MODULO, arithmetic(ADD, days, DAYS_FROM_MONDAY_TO_1970), DAYS_PER_WEEK);
    }

    // A week belongs to the year that its Thursday is in.
    private static Expression thursday(Expression days)
    {
        return arithmetic(ADD, arithmetic(SUBTRACT, days, daysFromMonday(days)), 3);
    }

    private static Expression weekOfYear(Expression days)
    {
        return arithmetic(FLOOR_DIVIDE, arithmetic(ADD, field(DAY_OF_YEAR, thursday(days)), DAYS_PER_WEEK - 1), DAYS_PER_WEEK);
    }

    private static Expression firstOfMonth(Expression days)
    {
        return arithmetic(SUBTRACT, days, arithmetic(SUBTRACT, field(DAY, days), 1));
    }

    private static Expression firstOfQuarter(Expression days)
    {
        Expression first = firstOfMonth(days);
        Expression monthOfQuarter = arithmetic(FLOOR_MODULO, arithmetic(SUBTRACT, field(MONTH, days), 1), 3);
        Expression third = new If(new Comparison(Relation.EQUAL, monthOfQuarter, integer(2)), new AddMonths(first, -2), first);
        return new If(new Comparison(Relation.EQUAL, monthOfQuarter, integer(1)), new AddMonths(first, -1), third);
    }

    /** Whether it is a type of lengths of time. Its constants are milliseconds or months. */
    static boolean isInterval(Type type)
    {
        return isOfTime(type) || isOfMonths(type);
    }

    private static boolean isOfTime(Type type)
    {
        return type.getBaseName().equals(INTERVAL_DAY_TO_SECOND);
    }

    private static boolean isOfMonths(Type type)
    {
        return type.getBaseName().equals(INTERVAL_YEAR_TO_MONTH);
    }

    /** Lowers a date or timestamp plus or minus a constant interval. */
    static Optional<Expression> shifted(Operator operator, Operand left, Operand right)
    {
        if (operator == ADD && isInterval(left.type())) {
            return shifted(right, left, 1);
        }
        return operator == ADD || operator == SUBTRACT ? shifted(left, right, operator == ADD ? 1 : -1) : Optional.empty();
    }

    private static Optional<Expression> shifted(Operand value, Operand interval, int sign)
    {
        if (!isInterval(interval.type()) || interval.integer().isEmpty() || Math.abs(interval.integer().getAsLong()) > Integer.MAX_VALUE * MILLISECONDS_PER_DAY) {
            return Optional.empty();
        }
        long length = sign * interval.integer().getAsLong();
        if (isOfMonths(interval.type())) {
            return days(value)
                    .filter(_ -> Math.abs(length) <= Integer.MAX_VALUE)
                    .map(days -> monthsLater(days, (int) length))
                    .filter(CalendarRules::hasCalendar)
                    .map(days -> isTimestamp(value.type()) ? arithmetic(ADD, midnight(days), arithmetic(FLOOR_MODULO, value.expression(), MICROSECONDS_PER_DAY)) : days);
        }
        if (isTimestamp(value.type())) {
            Expression later = arithmetic(ADD, value.expression(), length * MICROSECONDS_PER_MILLISECOND);
            return Optional.of(later).filter(_ -> days(new Operand(value.type(), later)).isPresent());
        }
        return value.type() instanceof DateType && length % MILLISECONDS_PER_DAY == 0
                ? Optional.of(arithmetic(ADD, value.expression(), length / MILLISECONDS_PER_DAY)).filter(CalendarRules::hasCalendar)
                : Optional.empty();
    }

    private static Expression monthsLater(Expression days, int months)
    {
        return months == 0 ? days : new AddMonths(days, months);
    }
}
