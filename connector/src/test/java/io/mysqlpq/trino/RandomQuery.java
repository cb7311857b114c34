package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.NastyTable.Column;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws queries of the nasty table that have one answer. */
record RandomQuery(String sql, boolean ordered)
{
    static RandomQuery draw(Random random)
    {
        return new Draw(random).query();
    }

    private record Draw(Random random)
    {
        private static final List<String> COMPARISONS = ImmutableList.of("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM");
        private static final List<String> ORDERS = ImmutableList.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST");
        private static final List<String> SPECIAL = ImmutableList.of("%", "_", "%%", "_%", "%_");

        RandomQuery query()
        {
            return switch (random.nextInt(6)) {
                case 0, 1 -> new RandomQuery("SELECT n FROM nasty" + where(), false);
                case 2 -> new RandomQuery("SELECT DISTINCT %s FROM nasty%s".formatted(columns(), where()), false);
                case 3 -> top();
                case 4 -> joined();
                default -> grouped();
            };
        }

        private RandomQuery top()
        {
            List<Column> columns = some(2);
            String names = names(columns);
            String order = columns.stream().map(column -> "%s %s".formatted(column.name(), oneOf(ORDERS))).collect(Collectors.joining(", "));
            return new RandomQuery("SELECT %s FROM nasty%s ORDER BY %s LIMIT %d".formatted(names, where(), order, random.nextInt(200)), true);
        }

        // Trino joins the other sides by equality only.
        private RandomQuery joined()
        {
            Column left = column();
            String join = oneOf("JOIN", "LEFT JOIN", "RIGHT JOIN");
            String comparison = join.equals("JOIN") ? oneOf("=", "<", "IS NOT DISTINCT FROM") : "=";
            return new RandomQuery(
                    "SELECT a.n, b.n FROM (SELECT * FROM nasty%s) a %s (SELECT * FROM nasty%s) b ON a.%s %s b.%s".formatted(where(), join, where(), left.name(), comparison, like(left).name()),
                    false);
        }

        private RandomQuery grouped()
        {
            List<Column> keys = some(random.nextInt(3));
            String aggregates = some(3).stream().map(this::aggregate).collect(Collectors.joining(", "));
            String groupBy = keys.isEmpty() ? "" : " GROUP BY " + names(keys);
            return new RandomQuery("SELECT %s FROM nasty%s%s".formatted(keys.isEmpty() ? aggregates : names(keys) + ", " + aggregates, where(), groupBy), false);
        }

        private String aggregate(Column column)
        {
            if (NastyTable.NUMBERS.contains(column)) {
                return "%s(%s)".formatted(oneOf("sum", "min", "max", "count", "avg"), column.name());
            }
            return oneOf("min(%s)", "max(%s)", "count(%s)", "count(DISTINCT %s)").formatted(column.name());
        }

        private String where()
        {
            return random.nextInt(4) == 0 ? "" : " WHERE " + predicate(3);
        }

        private String predicate(int depth)
        {
            return switch (depth == 0 ? 3 : random.nextInt(6)) {
                case 0 -> "(%s AND %s)".formatted(predicate(depth - 1), predicate(depth - 1));
                case 1 -> "(%s OR %s)".formatted(predicate(depth - 1), predicate(depth - 1));
                case 2 -> "NOT (%s)".formatted(predicate(depth - 1));
                default -> predicate(column());
            };
        }

        private String predicate(Column column)
        {
            return switch (random.nextInt(8)) {
                case 0 -> "%s IS %sNULL".formatted(column.name(), oneOf("", "NOT "));
                case 1 -> "%s %sIN (%s)".formatted(column.name(), oneOf("", "NOT "), literals(column, 1 + random.nextInt(6)));
                case 2 -> "%s %sBETWEEN %s AND %s".formatted(column.name(), oneOf("", "NOT "), column.literal(random), column.literal(random));
                case 3 -> "%s %s %s".formatted(column.name(), oneOf(COMPARISONS), like(column).name());
                case 4 -> column.like() ? "%s %sLIKE %s".formatted(column.name(), oneOf("", "NOT "), pattern()) : comparison(column);
                default -> comparison(column);
            };
        }

        private String comparison(Column column)
        {
            return "%s %s %s".formatted(column.name(), oneOf(COMPARISONS), column.literal(random));
        }

        private String pattern()
        {
            String pattern = Stream.generate(() -> random.nextInt(3) == 0 ? oneOf(SPECIAL) : oneOf(NastyTable.TEXTS)).limit(random.nextInt(4)).collect(Collectors.joining());
            if (random.nextBoolean()) {
                return NastyTable.text(pattern);
            }
            String escape = oneOf("|", "\\", "a", "%", "!");
            return "%s ESCAPE %s".formatted(NastyTable.text(escaped(pattern, escape.charAt(0))), NastyTable.text(escape));
        }

        // Trino refuses patterns with an escape character before others than these.
        private String escaped(String pattern, char escape)
        {
            return pattern.codePoints()
                    .mapToObj(Character::toString)
                    .map(character -> character.equals("" + escape) || (SPECIAL.contains(character) && random.nextBoolean()) ? escape + character : character)
                    .collect(Collectors.joining());
        }

        private String literals(Column column, int count)
        {
            return IntStream.range(0, count).mapToObj(_ -> column.literal(random)).collect(Collectors.joining(", "));
        }

        private String columns()
        {
            return names(some(1 + random.nextInt(2)));
        }

        private static String names(List<Column> columns)
        {
            return columns.stream().map(Column::name).collect(Collectors.joining(", "));
        }

        private List<Column> some(int count)
        {
            return Stream.generate(this::column).distinct().limit(count).toList();
        }

        private Column like(Column column)
        {
            return oneOf(NastyTable.COLUMNS.stream().filter(column::isLike).toList());
        }

        private Column column()
        {
            return oneOf(random.nextBoolean() ? NastyTable.TEXT_COLUMNS : NastyTable.COLUMNS);
        }

        private String oneOf(String... values)
        {
            return values[random.nextInt(values.length)];
        }

        private <T> T oneOf(List<T> values)
        {
            return values.get(random.nextInt(values.size()));
        }
    }
}
