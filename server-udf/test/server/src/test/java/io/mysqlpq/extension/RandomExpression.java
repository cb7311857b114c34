package io.mysqlpq.extension;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.TWO;
import static java.math.BigInteger.ZERO;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Draws expressions of mysql_pq_scan over the columns of a table, and says by the words of docs/protocol.md what they are for a row.
 */
final class RandomExpression
{
    /** Thrown where an expression has no value. The scan then ends before the row. */
    static final class NoValueException
            extends RuntimeException
    {
        NoValueException()
        {
            super(null, null, false, false);
        }
    }

    enum Kind
    {
        INTEGER,
        TRUTH,
        TEXT,
    }

    /**
     * @param json as the option has it
     * @param value what it is for a row's cells: a BigInteger, a Boolean or a String; null for NULL
     */
    record Expression(Kind kind, String json, Function<List<Object>, Object> value)
    {
        String layout()
        {
            return switch (kind) {
                case INTEGER -> "int128";
                case TRUTH -> "int8";
                case TEXT -> "bytes";
            };
        }

        String option()
        {
            return "[%s, \"%s\"]".formatted(json, layout());
        }

        /** As a batch has it: a BigInteger or bytes. */
        Object cell(List<Object> row)
        {
            return switch (value.apply(row)) {
                case null -> null;
                case Boolean truth -> truth ? ONE : ZERO;
                case String text -> text.getBytes(UTF_8);
                case Object number -> number;
            };
        }
    }

    private static final BigInteger LEAST = ONE.shiftLeft(127).negate();
    private static final BigInteger GREATEST = ONE.shiftLeft(127).subtract(ONE);
    private static final List<String> NUMBERS = List.of("tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "year", "date", "datetime", "timestamp");
    private static final List<String> TEXTS = List.of("char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set");
    private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");
    private static final List<String> PATTERNS = List.of("", "%", "a%", "%b", "_", "_%_", "%a%b%", "!%%");

    private final Random random;
    private final List<ScanColumn> columns;

    RandomExpression(Random random, List<ScanColumn> columns)
    {
        this.random = random;
        this.columns = columns;
    }

    Expression any(int depth)
    {
        return of(Kind.values()[random.nextInt(3)], depth);
    }

    Expression of(Kind kind, int depth)
    {
        return switch (kind) {
            case INTEGER -> integer(depth);
            case TRUTH -> truth(depth);
            case TEXT -> text(depth);
        };
    }

    private Expression integer(int depth)
    {
        if (depth == 0) {
            return random.nextInt(3) == 0 ? constant() : column(Kind.INTEGER, NUMBERS);
        }
        return switch (random.nextInt(8)) {
            case 0 -> choice(Kind.INTEGER, depth);
            case 1 -> ofDate(depth);
            case 2 -> strict(Kind.INTEGER, "[\"length\", %s]", text(depth - 1), value -> BigInteger.valueOf(codePoints((String) value).length));
            // Most values are within.
            case 3 -> within(integer(depth - 1), GREATEST.shiftRight(random.nextInt(20)));
            case 4 -> calculation(List.of("divide", "modulo", "divide_half_up", "floor_divide", "floor_modulo").get(random.nextInt(5)), integer(depth - 1), random.nextInt(4) > 0 ? constant() : integer(depth - 1));
            default -> calculation(List.of("+", "-", "*").get(random.nextInt(3)), integer(depth - 1), integer(depth - 1));
        };
    }

    private Expression truth(int depth)
    {
        if (depth == 0) {
            Expression tested = random.nextBoolean() ? column(Kind.INTEGER, NUMBERS) : column(Kind.TEXT, TEXTS);
            return new Expression(Kind.TRUTH, "[\"is_null\", %s]".formatted(tested.json()), row -> tested.value().apply(row) == null);
        }
        return switch (random.nextInt(7)) {
            case 0 -> choice(Kind.TRUTH, depth);
            case 1 -> strict(Kind.TRUTH, "[\"not\", %s]", truth(depth - 1), value -> !(Boolean) value);
            case 2, 3 -> connection(random.nextBoolean(), List.of(truth(depth - 1), truth(depth - 1), truth(depth - 1)));
            case 4 -> like(text(depth - 1));
            case 5 -> comparison(text(depth - 1), text(depth - 1), (left, right) -> Arrays.compareUnsigned(((String) left).getBytes(UTF_8), ((String) right).getBytes(UTF_8)));
            default -> comparison(integer(depth - 1), integer(depth - 1), (left, right) -> ((BigInteger) left).compareTo((BigInteger) right));
        };
    }

    private Expression text(int depth)
    {
        if (depth == 0) {
            return random.nextInt(3) == 0 ? textConstant() : column(Kind.TEXT, TEXTS);
        }
        if (random.nextInt(3) == 0) {
            return choice(Kind.TEXT, depth);
        }
        int start = random.nextInt(9) - 4;
        int length = random.nextInt(5) - 1;
        boolean ends = random.nextBoolean();
        return strict(Kind.TEXT, "[\"substring\", %%s, \"%s\"%s]".formatted(start, ends ? ", \"%s\"".formatted(length) : ""), text(depth - 1), value -> substring(codePoints((String) value), start, ends ? length : Integer.MAX_VALUE));
    }

    // Counted from 1, or backwards from the end.
    private static String substring(int[] text, int start, int length)
    {
        int first = start < 0 ? text.length + start : start - 1;
        if (start == 0 || first < 0 || first >= text.length || length <= 0) {
            return "";
        }
        return new String(text, first, Math.min(length, text.length - first));
    }

    private static int[] codePoints(String text)
    {
        return text.codePoints().toArray();
    }

    private Expression column(Kind kind, List<String> types)
    {
        List<ScanColumn> all = columns.stream().filter(column -> types.contains(column.type())).toList();
        if (all.isEmpty()) {
            return kind == Kind.TEXT ? textConstant() : constant();
        }
        ScanColumn column = all.get(random.nextInt(all.size()));
        int at = columns.indexOf(column);
        return new Expression(kind, "[\"column\", \"%s\"]".formatted(column.name()), row -> value(column, row.get(at)));
    }

    private static Object value(ScanColumn column, Object cell)
    {
        if (cell instanceof byte[] bytes) {
            return new String(bytes, UTF_8);
        }
        // A date that the calendar has not.
        boolean isDate = List.of("date", "datetime", "timestamp").contains(column.type());
        if (isDate && cell != null && ((BigInteger) cell).compareTo(BigInteger.valueOf(column.type().equals("date") ? -719_162 : -719_162L * 86_400_000_000L)) < 0) {
            throw new NoValueException();
        }
        return cell;
    }

    private Expression constant()
    {
        BigInteger value = random.nextInt(5) == 0 ? new BigInteger(1 + random.nextInt(120), random) : BigInteger.valueOf(random.nextInt(200) - 100);
        return new Expression(Kind.INTEGER, "[\"integer\", \"%s\"]".formatted(value), _ -> value);
    }

    private Expression textConstant()
    {
        String value = List.of("", "a", "b", "é", "a ", "🐬", "zz").get(random.nextInt(7));
        return new Expression(Kind.TEXT, "[\"text\", \"%s\"]".formatted(value), _ -> value);
    }

    private Expression ofDate(int depth)
    {
        List<ScanColumn> all = columns.stream().filter(column -> List.of("date", "datetime").contains(column.type())).toList();
        Expression days = within(integer(depth - 1), BigInteger.valueOf(3_000_000));
        if (!all.isEmpty() && random.nextInt(4) > 0) {
            ScanColumn column = all.get(random.nextInt(all.size()));
            int at = columns.indexOf(column);
            String name = "[\"column\", \"%s\"]".formatted(column.name());
            days = column.type().equals("date")
                    ? new Expression(Kind.INTEGER, name, row -> value(column, row.get(at)))
                    : new Expression(Kind.INTEGER, "[\"floor_divide\", %s, [\"integer\", \"86400000000\"]]".formatted(name), row -> row.get(at) == null ? null : floor((BigInteger) value(column, row.get(at)), BigInteger.valueOf(86_400_000_000L)));
        }
        int months = random.nextInt(100) - 50;
        return switch (random.nextInt(5)) {
            case 0 -> strict(Kind.INTEGER, "[\"year\", %s]", days, value -> BigInteger.valueOf(date(value).getYear()));
            case 1 -> strict(Kind.INTEGER, "[\"month\", %s]", days, value -> BigInteger.valueOf(date(value).getMonthValue()));
            case 2 -> strict(Kind.INTEGER, "[\"day\", %s]", days, value -> BigInteger.valueOf(date(value).getDayOfMonth()));
            case 3 -> strict(Kind.INTEGER, "[\"day_of_year\", %s]", days, value -> BigInteger.valueOf(date(value).getDayOfYear()));
            default -> strict(Kind.INTEGER, "[\"add_months\", %%s, \"%s\"]".formatted(months), days, value -> BigInteger.valueOf(date(value).plusMonths(months).toEpochDay()));
        };
    }

    private static LocalDate date(Object days)
    {
        return LocalDate.ofEpochDay(((BigInteger) days).longValueExact());
    }

    private Expression within(Expression value, BigInteger end)
    {
        return strict(Kind.INTEGER, "[\"within\", %%s, \"%s\", \"%s\"]".formatted(end.negate(), end), value, number -> {
            if (((BigInteger) number).abs().compareTo(end) > 0) {
                throw new NoValueException();
            }
            return number;
        });
    }

    private static Expression calculation(String operator, Expression left, Expression right)
    {
        return strict(Kind.INTEGER, "[\"%s\", %%s, %%s]".formatted(operator), left, right, (a, b) -> calculated(operator, (BigInteger) a, (BigInteger) b));
    }

    private static BigInteger calculated(String operator, BigInteger a, BigInteger b)
    {
        boolean divides = !List.of("+", "-", "*").contains(operator);
        if (divides && b.signum() == 0) {
            throw new NoValueException();
        }
        BigInteger result = switch (operator) {
            case "+" -> a.add(b);
            case "-" -> a.subtract(b);
            case "*" -> a.multiply(b);
            case "divide" -> a.divide(b);
            case "modulo" -> a.remainder(b);
            case "divide_half_up" -> a.abs().multiply(TWO).add(b.abs()).divide(b.abs().multiply(TWO)).multiply(BigInteger.valueOf((long) a.signum() * b.signum()));
            case "floor_divide" -> floor(a, b);
            default -> a.subtract(floor(a, b).multiply(b));
        };
        if (result.compareTo(LEAST) < 0 || result.compareTo(GREATEST) > 0) {
            throw new NoValueException();
        }
        return result;
    }

    private static BigInteger floor(BigInteger a, BigInteger b)
    {
        BigInteger[] parts = a.divideAndRemainder(b);
        return parts[1].signum() * b.signum() < 0 ? parts[0].subtract(ONE) : parts[0];
    }

    private Expression comparison(Expression left, Expression right, BiFunction<Object, Object, Integer> order)
    {
        String operator = COMPARISONS.get(random.nextInt(COMPARISONS.size()));
        return strict(Kind.TRUTH, "[\"%s\", %%s, %%s]".formatted(operator), left, right, (a, b) -> {
            int compared = order.apply(a, b);
            return switch (operator) {
                case "=" -> compared == 0;
                case "<>" -> compared != 0;
                case "<" -> compared < 0;
                case "<=" -> compared <= 0;
                case ">" -> compared > 0;
                default -> compared >= 0;
            };
        });
    }

    private Expression like(Expression text)
    {
        String pattern = PATTERNS.get(random.nextInt(PATTERNS.size()));
        boolean escapes = random.nextBoolean();
        StringBuilder regex = new StringBuilder();
        boolean escaped = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (escapes && !escaped && c == '!') {
                escaped = true;
                continue;
            }
            regex.append(escaped || (c != '%' && c != '_') ? Pattern.quote(String.valueOf(c)) : c == '%' ? ".*" : ".");
            escaped = false;
        }
        Pattern compiled = Pattern.compile(regex.toString(), Pattern.DOTALL);
        return strict(Kind.TRUTH, "[\"like\", %%s, \"%s\"%s]".formatted(pattern.replace("%", "%%"), escapes ? ", \"!\"" : ""), text, value -> compiled.matcher((String) value).matches());
    }

    // All operands are evaluated: one without a value leaves the whole without one.
    private static Expression connection(boolean isAnd, List<Expression> operands)
    {
        String json = "[\"%s\", %s]".formatted(isAnd ? "and" : "or", String.join(", ", operands.stream().map(Expression::json).toList()));
        return new Expression(Kind.TRUTH, json, row -> {
            List<Object> values = operands.stream().map(operand -> operand.value().apply(row)).map(value -> (Object) Optional.ofNullable(value)).toList();
            Object decisive = Optional.of(!isAnd);
            return values.contains(decisive) ? Boolean.valueOf(!isAnd) : values.contains(Optional.empty()) ? null : Boolean.valueOf(isAnd);
        });
    }

    private Expression choice(Kind kind, int depth)
    {
        Expression condition = truth(depth - 1);
        Expression first = of(kind, depth - 1);
        Expression second = of(kind, depth - 1);
        return switch (random.nextInt(3)) {
            case 0 -> new Expression(kind, "[\"if\", %s, %s, %s]".formatted(condition.json(), first.json(), second.json()), row -> {
                Object one = first.value().apply(row);
                Object other = second.value().apply(row);
                return Objects.equals(condition.value().apply(row), true) ? one : other;
            });
            case 1 -> new Expression(kind, "[\"null_if\", %s, %s]".formatted(condition.json(), first.json()), row -> {
                Object one = first.value().apply(row);
                return Objects.equals(condition.value().apply(row), true) ? null : one;
            });
            default -> new Expression(kind, "[\"coalesce\", %s, %s]".formatted(first.json(), second.json()), row -> {
                Object one = first.value().apply(row);
                Object other = second.value().apply(row);
                return one == null ? other : one;
            });
        };
    }

    private static Expression strict(Kind kind, String json, Expression operand, Function<Object, Object> function)
    {
        return new Expression(kind, json.formatted(operand.json()), row -> {
            Object value = operand.value().apply(row);
            return value == null ? null : function.apply(value);
        });
    }

    private static Expression strict(Kind kind, String json, Expression left, Expression right, BiFunction<Object, Object, Object> function)
    {
        return new Expression(kind, json.formatted(left.json(), right.json()), row -> {
            Object a = left.value().apply(row);
            Object b = right.value().apply(row);
            return a == null || b == null ? null : function.apply(a, b);
        });
    }
}
