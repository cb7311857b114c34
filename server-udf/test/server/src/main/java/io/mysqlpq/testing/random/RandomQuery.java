package io.mysqlpq.testing.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws queries of nasty tables that have one answer.
 *
 * @param ordered whether the order of the rows counts; ties do not show
 * @param first whether it wants few first rows, in an order that the extension knows, of columns that it reads
 */
public record RandomQuery(String sql, boolean ordered, boolean first)
{
    public RandomQuery(String sql, boolean ordered)
    {
        this(sql, ordered, false);
    }

    /** @param ofFirstRows those of the tables whose first rows the extension finds, or none */
    public static RandomQuery draw(List<NastyTable> tables, List<NastyTable> ofFirstRows, Random random)
    {
        boolean first = !ofFirstRows.isEmpty() && random.nextInt(6) == 0;
        return first ? new Draw(ofFirstRows, random).first() : new Draw(tables, random).query();
    }

    private record Draw(List<NastyTable> tables, Random random)
    {
        private static final List<String> ORDERS = List.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST");
        private static final Set<NastyKind> EXACT = Set.of(NastyKind.NUMBER, NastyKind.EXTREME, NastyKind.BOOLEAN, NastyKind.TIME, NastyKind.INSTANT, NastyKind.BYTES);

        private static final Set<String> ORDERED_BY_EXTENSION = Set.of(
                "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "DECIMAL", "DATE", "DATETIME", "TIMESTAMP", "DOUBLE", "VARCHAR");

        RandomQuery query()
        {
            RandomPredicate table = table();
            return switch (random.nextInt(22)) {
                case 0, 1 -> unordered("SELECT n%s FROM %s%s".formatted(someOf(table, List.of()), table.table().name(), table.where()));
                case 2 -> unordered("SELECT DISTINCT %s FROM %s%s".formatted(names(orderable(table, 1 + random.nextInt(2))), table.table().name(), table.where()));
                case 3, 4, 5, 6 -> top(table);
                case 7 -> joined(table, table());
                case 8 -> counted(table, table());
                case 9 -> among(table, table());
                case 10 -> united(table, table());
                // How many rows there are, whichever they are.
                case 11 -> cast(table);
                case 12 -> beyond(table, table());
                case 13 -> unordered("SELECT count(*) FROM (SELECT n FROM %s%s LIMIT %d)".formatted(table.table().name(), table.where(), random.nextInt(300)));
                case 14, 15, 16 -> computed(table);
                case 17 -> besides(table);
                default -> grouped(table);
            };
        }

        // Groups by expressions and aggregates of them, and rows that pass some.
        private RandomQuery computed(RandomPredicate table)
        {
            RandomSqlExpression expressions = new RandomSqlExpression(table.table(), random);
            String where = random.nextBoolean() ? table.where() : " WHERE %s %s %s".formatted(expressions.number(2), table.oneOf(List.of("<", "=", ">=", "<>")), expressions.number(1));
            if (random.nextInt(4) == 0) {
                return unordered("SELECT n, %s FROM %s%s".formatted(expressions.key(), table.table().name(), where));
            }
            List<String> keys = Stream.generate(expressions::key).limit(random.nextInt(3)).toList();
            String aggregates = Stream.generate(() -> table.oneOf(List.of("sum(%s)", "min(%s)", "max(%s)", "count(%s)", "avg(CAST(%s AS DECIMAL(38, 6)))", "count(*)")).formatted(expressions.number(random.nextInt(3)))).limit(1 + random.nextInt(3)).collect(Collectors.joining(", "));
            String groupBy = keys.isEmpty() ? "" : " GROUP BY " + IntStream.rangeClosed(1, keys.size()).mapToObj(String::valueOf).collect(Collectors.joining(", "));
            return unordered("SELECT %s%s FROM %s%s%s".formatted(keys.stream().map(key -> key + ", ").collect(Collectors.joining()), aggregates, table.table().name(), where, groupBy));
        }

        private RandomQuery top(RandomPredicate table)
        {
            List<NastyColumn> columns = random.nextInt(3) == 0 ? orderable(table, 2) : exact(table, 1 + random.nextInt(2));
            String order = columns.stream().map(column -> "%s %s".formatted(column.name(), table.oneOf(ORDERS))).collect(Collectors.joining(", "));
            // Ties show in further columns.
            boolean unique = random.nextBoolean();
            String further = unique ? ", n" + someOf(table, columns) : "";
            String distinct = !unique && random.nextInt(6) == 0 ? "DISTINCT " : "";
            return new RandomQuery("SELECT %s%s%s FROM %s%s ORDER BY %s%s%s LIMIT %d".formatted(
                    distinct, names(columns), further, table.table().name(), table.where(), order, unique ? ", n" : "", random.nextInt(5) == 0 ? " OFFSET 7" : "", 1 + random.nextInt(table.oneOf(List.of(2, 9, 200)))), true);
        }

        // Ties do not show here either: the number makes the order total, or only the columns of the order are read.
        RandomQuery first()
        {
            RandomPredicate table = table();
            List<NastyColumn> columns = some(table, Draw::isOrderedByExtension, 1 + random.nextInt(3));
            boolean total = random.nextInt(4) > 0;
            List<String> others = total ? some(table, Draw::isReadByExtension, random.nextInt(4)).stream().filter(column -> !columns.contains(column)).map(NastyColumn::name).toList() : List.of();
            List<String> order = Stream.concat(columns.stream().map(NastyColumn::name), total ? Stream.of("n") : Stream.of()).toList();
            return new RandomQuery("SELECT %s FROM %s%s ORDER BY %s LIMIT %d".formatted(
                    Stream.concat(order.stream(), others.stream()).collect(Collectors.joining(", ")),
                    table.table().name(),
                    random.nextInt(3) == 0 ? "" : " WHERE " + table.comparisons(1 + random.nextInt(2), columns),
                    order.stream().map(name -> "%s %s".formatted(name, table.oneOf(ORDERS))).collect(Collectors.joining(", ")),
                    1 + random.nextInt(10)), true, true);
        }

        // A column that MySQL may send as a wider type.
        private RandomQuery cast(RandomPredicate table)
        {
            String column = table.oneOf(table.table().columns().stream().filter(numbers -> numbers.definition().matches("(TINY|SMALL|MEDIUM)?INT")).toList()).name();
            String type = column.equals("i") || column.equals("m_s") ? "BIGINT" : table.oneOf(List.of("INTEGER", "BIGINT"));
            return unordered("SELECT n, x FROM (SELECT n, CAST(%s AS %s) AS x FROM %s) WHERE x %s %d".formatted(column, type, filtered(table), table.oneOf(List.of("=", "<>", "<", ">=")), random.nextInt(5) - 1));
        }

        // Compared with one value of the other table.
        private RandomQuery beyond(RandomPredicate one, RandomPredicate other)
        {
            List<NastyColumn> pair = pair(one, other);
            return unordered("SELECT n FROM %s WHERE %s %s (SELECT %s(%s) FROM %s)".formatted(
                    filtered(one), pair.getFirst().name(), one.oneOf(List.of("=", "<", ">", "<=", "IS DISTINCT FROM")), one.oneOf(List.of("min", "max")), pair.getLast().name(), filtered(other)));
        }

        // Trino joins the other sides by equality only.
        private RandomQuery joined(RandomPredicate one, RandomPredicate other)
        {
            String join = one.oneOf(List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"));
            String comparison = join.equals("JOIN") ? one.oneOf(List.of("=", "=", "IS NOT DISTINCT FROM")) : "=";
            return unordered("SELECT a.n, b.n FROM %s a %s %s b ON %s".formatted(filtered(one), join, filtered(other), on(one, comparison, other)));
        }

        // Joins of many rows, as one row or as few.
        private RandomQuery counted(RandomPredicate one, RandomPredicate other)
        {
            String group = random.nextBoolean() ? "" : "a." + orderable(one, 1).getFirst().name();
            return unordered("SELECT %scount(*), sum(a.n * 31 + b.n), min(a.n - b.n) FROM %s a JOIN %s b ON %s%s".formatted(
                    group.isEmpty() ? "" : group + ", ", filtered(one), filtered(other), on(one, one.oneOf(List.of("=", "<", ">=")), other), group.isEmpty() ? "" : " GROUP BY " + group));
        }

        // A join that each row passes once.
        private RandomQuery among(RandomPredicate one, RandomPredicate other)
        {
            List<NastyColumn> pair = pair(one, other);
            return unordered("SELECT n FROM %s WHERE %s %sIN (SELECT %s FROM %s)".formatted(
                    filtered(one), pair.getFirst().name(), random.nextInt(3) == 0 ? "NOT " : "", pair.getLast().name(), filtered(other)));
        }

        private RandomQuery united(RandomPredicate one, RandomPredicate other)
        {
            List<NastyColumn> pair = pair(one, other);
            return unordered("SELECT x, count(*), sum(n) FROM (SELECT %s AS x, n FROM %s UNION ALL SELECT %s, n FROM %s) GROUP BY x".formatted(
                    pair.getFirst().name(), filtered(one), pair.getLast().name(), filtered(other)));
        }

        private RandomQuery grouped(RandomPredicate table)
        {
            List<NastyColumn> keys = orderable(table, random.nextInt(3));
            List<String> aggregates = orderable(table, 3).stream().map(column -> aggregate(table, column)).toList();
            String groupBy = keys.isEmpty() ? "" : " GROUP BY " + (random.nextInt(8) == 0 ? "ROLLUP (%s)".formatted(names(keys)) : names(keys));
            String having = random.nextInt(3) == 0 ? " HAVING %s".formatted(having(table)) : "";
            return unordered("SELECT %s FROM %s%s%s%s".formatted(
                    Stream.concat(keys.stream().map(NastyColumn::name), aggregates.stream()).collect(Collectors.joining(", ")), table.table().name(), table.where(), groupBy, having));
        }

        // Values of the row of an extreme, of which there is one, or which tells the value.
        private RandomQuery besides(RandomPredicate table)
        {
            RandomSqlExpression expressions = new RandomSqlExpression(table.table(), random);
            List<String> keys = random.nextBoolean() ? List.of() : List.of(random.nextBoolean() ? expressions.key() : orderable(table, 1).getFirst().name());
            List<String> aggregates = Stream.generate(() -> switch (random.nextInt(4)) {
                case 0 -> "(%1$s, %1$s)".formatted(orderable(table, 1).getFirst().name());
                case 1 -> "(%s, n)".formatted(expressions.number(1));
                default -> "(%s, %s)".formatted(table.column().name(), table.oneOf(List.of("n", "-n", "n * 3 + 1", "n * DECIMAL '100000000000000000000'")));
            }).limit(1 + random.nextInt(3)).map(arguments -> table.oneOf(List.of("min_by", "max_by")) + arguments).toList();
            return unordered("SELECT %s FROM %s%s%s".formatted(
                    Stream.concat(keys.stream(), aggregates.stream()).collect(Collectors.joining(", ")), table.table().name(), table.where(), keys.isEmpty() ? "" : " GROUP BY 1"));
        }

        private String having(RandomPredicate table)
        {
            NastyColumn column = orderable(table, 1).getFirst();
            return random.nextBoolean() ? "count(*) > %d".formatted(random.nextInt(40)) : "%s(%s) >= %s".formatted(table.oneOf(List.of("min", "max")), column.name(), column.literal(random));
        }

        private String aggregate(RandomPredicate table, NastyColumn column)
        {
            String call = table.oneOf(column.kind().hasSum() ? List.of("sum(%s)", "min(%s)", "max(%s)", "count(%s)", "avg(%s)", "sum(DISTINCT %s)", "count(*)") : List.of("min(%s)", "max(%s)", "count(%s)", "count(DISTINCT %s)"));
            return call.formatted(column.name()) + (random.nextInt(6) == 0 ? " FILTER (WHERE %s)".formatted(table.draw(1)) : "");
        }

        private String on(RandomPredicate one, String comparison, RandomPredicate other)
        {
            if (random.nextInt(4) == 0) {
                return "a.n %s b.n".formatted(comparison);
            }
            List<NastyColumn> pair = pair(one, other);
            return "a.%s %s b.%s%s".formatted(pair.getFirst().name(), comparison, pair.getLast().name(), comparison.equals("=") && random.nextBoolean() ? " AND a.n = b.n" : "");
        }

        // Columns of the two tables that are compared with each other.
        private List<NastyColumn> pair(RandomPredicate one, RandomPredicate other)
        {
            List<List<NastyColumn>> pairs = one.table().columns().stream()
                    .filter(column -> column.kind().hasOrder())
                    .flatMap(column -> other.table().columns().stream().filter(column::isLike).map(second -> List.of(column, second)))
                    .toList();
            return one.oneOf(pairs);
        }

        private static String filtered(RandomPredicate table)
        {
            return "(SELECT * FROM %s%s)".formatted(table.table().name(), table.where());
        }

        private String someOf(RandomPredicate table, List<NastyColumn> others)
        {
            return Stream.generate(table::column).limit(random.nextInt(4)).distinct().filter(column -> !others.contains(column)).map(column -> ", " + column.name()).collect(Collectors.joining());
        }

        // Columns whose order all know, and of which a range gives its first rows.
        private List<NastyColumn> exact(RandomPredicate table, int count)
        {
            return some(table, column -> EXACT.contains(column.kind()) || column.definition().contains("utf8mb4_0900_bin"), count);
        }

        private List<NastyColumn> some(RandomPredicate table, Predicate<NastyColumn> wanted, int count)
        {
            List<NastyColumn> some = new ArrayList<>(table.table().columns().stream().filter(wanted).toList());
            Collections.shuffle(some, random);
            return List.copyOf(some.subList(0, Math.min(count, some.size())));
        }

        // docs/decisions/first-rows.md. Long texts are not sorted by MySQL, so they are no order that a connector is asked for.
        private static boolean isOrderedByExtension(NastyColumn column)
        {
            return ORDERED_BY_EXTENSION.contains(column.typeName()) && isReadByExtension(column);
        }

        private static boolean isReadByExtension(NastyColumn column)
        {
            return column.kind() != NastyKind.DOCUMENT && column.kind() != NastyKind.LONG_NUMBER && !column.definition().matches(".*(VIRTUAL|ucs2_|utf32_).*");
        }

        private static List<NastyColumn> orderable(RandomPredicate table, int count)
        {
            return Stream.generate(table::column).filter(column -> column.kind().hasOrder()).limit(10L * count).distinct().limit(count).toList();
        }

        private static String names(List<NastyColumn> columns)
        {
            return columns.stream().map(NastyColumn::name).collect(Collectors.joining(", "));
        }

        private static RandomQuery unordered(String sql)
        {
            return new RandomQuery(sql, false);
        }

        private RandomPredicate table()
        {
            return new RandomPredicate(tables.get(random.nextInt(tables.size())), random);
        }
    }
}
