package io.mysqlpq.trino.expression;

import com.google.common.collect.ImmutableList;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static java.util.stream.Collectors.joining;

/** Writes random expressions of SQL over the columns of {@link SampleTable}. */
final class SampleExpressions
{
    private static final List<String> COMPARISONS = ImmutableList.of("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM");
    private static final List<String> TIME_UNITS = ImmutableList.of("millisecond", "second", "minute", "hour");
    private static final List<String> DATE_UNITS = ImmutableList.of("day", "week", "month", "quarter", "year");
    private static final List<String> DATE_PARTS = ImmutableList.of("year", "quarter", "month", "week", "day", "day_of_month", "day_of_week", "dow", "day_of_year", "doy", "year_of_week");

    private final Random random;
    private final SampleTable table;

    SampleExpressions(Random random, SampleTable table)
    {
        this.random = random;
        this.table = table;
    }

    String any(int depth)
    {
        return random.nextInt(4) == 0 ? of(BOOLEAN, depth) : of(randomType(), depth);
    }

    private Type randomType()
    {
        return chosen(SampleTable.COLUMNS).type();
    }

    private String of(Type type, int depth)
    {
        if (depth == 0 || random.nextInt(12) == 0) {
            return leaf(type);
        }
        int choice = random.nextInt(20);
        if (choice == 0) {
            return "coalesce(%s, %s)".formatted(of(type, depth - 1), of(type, depth - 1));
        }
        if (choice == 1 && !type.equals(BOOLEAN)) {
            return "nullif(%s, %s)".formatted(of(type, depth - 1), of(type, depth - 1));
        }
        return switch (type) {
            case BooleanType _ -> condition(depth - 1);
            case DecimalType decimal -> decimal(decimal, depth - 1);
            case DateType _ -> date(depth - 1);
            case TimestampType timestamp -> timestamp(timestamp, depth - 1);
            case VarcharType varchar -> text(varchar, depth - 1);
            case CharType _ -> leaf(type);
            default -> integer(type, depth - 1);
        };
    }

    private String leaf(Type type)
    {
        List<String> names = table.names(type);
        return names.isEmpty() || random.nextInt(5) == 0 ? table.literal(type) : chosen(names);
    }

    private String integer(Type type, int depth)
    {
        if (type.equals(BIGINT) && random.nextInt(3) == 0) {
            return number(depth);
        }
        return switch (random.nextInt(9)) {
            case 0 -> "-(%s)".formatted(of(type, depth));
            case 1 -> "CAST(%s AS %s)".formatted(of(numberType(), depth), type.getDisplayName());
            default -> "(%s %s %s)".formatted(of(type, depth), chosen(ImmutableList.of("+", "-", "*", "/", "%")), of(type, depth));
        };
    }

    private String number(int depth)
    {
        return switch (random.nextInt(5)) {
            case 0 -> "length(%s)".formatted(of(textType(), depth));
            case 1 -> "%s(%s)".formatted(chosen(TIME_UNITS), of(timestampType(), depth));
            default -> "%s(%s)".formatted(chosen(DATE_PARTS), of(random.nextBoolean() ? DATE : timestampType(), depth));
        };
    }

    // The result has a type of its own, which a cast makes the one that is asked for.
    private String decimal(DecimalType type, int depth)
    {
        String value = switch (random.nextInt(8)) {
            case 0 -> "-(%s)".formatted(of(type, depth));
            case 1 -> of(numberType(), depth);
            default -> "(%s %s %s)".formatted(of(decimalType(), depth), chosen(ImmutableList.of("+", "-", "*", "/", "%")), of(decimalType(), depth));
        };
        return random.nextInt(3) == 0 ? "CAST(%s AS %s)".formatted(value, type.getDisplayName()) : value;
    }

    private String date(int depth)
    {
        return switch (random.nextInt(5)) {
            case 0 -> "date_trunc('%s', %s)".formatted(chosen(DATE_UNITS), of(DATE, depth));
            case 1 -> "CAST(%s AS DATE)".formatted(of(timestampType(), depth));
            case 2 -> "last_day_of_month(%s)".formatted(of(random.nextBoolean() ? DATE : timestampType(), depth));
            default -> "(%s %s %s)".formatted(of(DATE, depth), chosen(ImmutableList.of("+", "-")), interval(true));
        };
    }

    private String timestamp(TimestampType type, int depth)
    {
        return switch (random.nextInt(4)) {
            case 0 -> "date_trunc('%s', %s)".formatted(chosen(random.nextBoolean() ? TIME_UNITS : DATE_UNITS), of(type, depth));
            case 1 -> "CAST(%s AS %s)".formatted(of(random.nextBoolean() ? DATE : timestampType(), depth), type.getDisplayName());
            default -> "(%s %s %s)".formatted(of(type, depth), chosen(ImmutableList.of("+", "-")), interval(false));
        };
    }

    private String interval(boolean isOfDays)
    {
        String unit = chosen(isOfDays ? ImmutableList.of("DAY", "MONTH", "YEAR") : ImmutableList.of("SECOND", "MINUTE", "HOUR", "DAY", "MONTH", "YEAR"));
        return "INTERVAL '%d' %s".formatted(random.nextInt(-500, 500), unit);
    }

    private String text(VarcharType type, int depth)
    {
        return switch (random.nextInt(3)) {
            case 0 -> "substr(%s, %d)".formatted(of(type, depth), random.nextInt(-6, 7));
            case 1 -> "substring(%s, %d, %d)".formatted(of(type, depth), random.nextInt(-6, 7), random.nextInt(-1, 6));
            default -> leaf(type);
        };
    }

    private String condition(int depth)
    {
        return switch (random.nextInt(11)) {
            case 0 -> "(%s AND %s)".formatted(of(BOOLEAN, depth), of(BOOLEAN, depth));
            case 1 -> "(%s OR %s)".formatted(of(BOOLEAN, depth), of(BOOLEAN, depth));
            case 2 -> "(NOT %s)".formatted(of(BOOLEAN, depth));
            case 3 -> "(%s IS NULL)".formatted(of(randomType(), depth));
            case 4 -> {
                Type type = comparedType();
                yield "(%s BETWEEN %s AND %s)".formatted(of(type, depth), of(type, depth), of(type, depth));
            }
            case 5 -> {
                Type type = comparedType();
                yield "(%s IN (%s))".formatted(of(type, depth), IntStream.range(0, random.nextInt(1, 5)).mapToObj(_ -> table.literal(type)).collect(joining(", ")));
            }
            case 6, 10 -> "(%s LIKE '%s'%s)".formatted(of(textType(), depth), pattern(), random.nextBoolean() ? "" : " ESCAPE '#'");
            case 7 -> "(%s %s %s)".formatted(of(numberType(), depth), chosen(COMPARISONS), of(numberType(), depth));
            default -> {
                Type type = comparedType();
                yield "(%s %s %s)".formatted(of(type, depth), chosen(COMPARISONS), of(type, depth));
            }
        };
    }

    private String pattern()
    {
        return IntStream.range(0, random.nextInt(6)).mapToObj(_ -> chosen(ImmutableList.of("%", "%", "_", "_", "a", "b", "ä", "😀"))).collect(joining());
    }

    private Type comparedType()
    {
        Type type = randomType();
        return type.equals(BOOLEAN) ? BIGINT : type;
    }

    private Type numberType()
    {
        Type type = randomType();
        return type instanceof DecimalType || ValueType.isInteger(type) ? type : numberType();
    }

    private DecimalType decimalType()
    {
        if (random.nextInt(5) == 0) {
            int precision = random.nextInt(1, 39);
            return createDecimalType(precision, random.nextInt(precision + 1));
        }
        return randomType() instanceof DecimalType type ? type : decimalType();
    }

    private TimestampType timestampType()
    {
        return createTimestampType(chosen(ImmutableList.of(0, 3, 6)));
    }

    private VarcharType textType()
    {
        return createVarcharType(random.nextBoolean() ? 8 : 20);
    }

    private <T> T chosen(List<T> choices)
    {
        return choices.get(random.nextInt(choices.size()));
    }
}
