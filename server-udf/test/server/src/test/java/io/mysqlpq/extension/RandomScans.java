package io.mysqlpq.extension;

import io.mysqlpq.extension.RandomExpression.Expression;
import io.mysqlpq.extension.RandomExpression.Kind;
import io.mysqlpq.extension.RandomExpression.NoValueException;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomNastyTable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;
import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsFirst;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares native scans of one random table with what MySQL's own SQL saw in the same snapshot: of any columns, ranges, filters and sizes of batches,
 * of rows that others have changed since; and groups, and first rows, with what the rows give.
 */
final class RandomScans
{
    private static final String SCHEMA = "r";
    // Long rows before and after changes in place, and more than one level of the tree.
    private static final int MOST_ROWS = 800;
    // Without a decoder, or compared otherwise by SQL.
    private static final Set<String> UNREAD = Set.of("json", "bit");
    private static final Set<String> NUMBERS = Set.of("tinyint", "smallint", "mediumint", "int", "bigint", "decimal");
    private static final Set<String> TIMES = Set.of("date", "datetime", "timestamp");

    private static final Filter ALL = new Filter("", _ -> true);

    private final MysqlServer server;
    private final Random random;
    private final RandomNastyTable drawn;
    private final String table;

    RandomScans(MysqlServer server, long seed)
    {
        this.server = server;
        this.random = new Random(seed);
        this.drawn = RandomNastyTable.draw(SCHEMA, "t", 100 + random.nextInt(MOST_ROWS - 100), random);
        this.table = SCHEMA + ".t";
    }

    /** @return comparisons that were made */
    int compare(int requests)
    {
        try (Session writer = new Session(server)) {
            writer.execute("SET SESSION sql_mode = '', time_zone = '+00:00'", "DROP SCHEMA IF EXISTS " + SCHEMA, "CREATE SCHEMA " + SCHEMA);
            drawn.statements().forEach(writer::execute);
            List<String> partitions = writer.values("SELECT partition_name FROM information_schema.partitions WHERE table_schema = '%s' AND partition_name IS NOT NULL".formatted(SCHEMA));
            List<String> clustered = writer.values("""
                    SELECT index_name FROM information_schema.statistics WHERE table_schema = '%s' AND non_unique = 0
                    GROUP BY index_name HAVING SUM(nullable = 'YES' OR (sub_part IS NOT NULL AND index_name <> 'PRIMARY')) = 0""".formatted(SCHEMA));
            String index = clustered.isEmpty() ? "GEN_CLUST_INDEX" : clustered.getFirst();
            try (SnapshotReader reader = SnapshotReader.open(server, table)) {
                List<ScanColumn> columns = ScanColumn.of(reader.session(), table).stream().filter(RandomScans::isRead).toList();
                List<Part> parts = new ArrayList<>();
                for (String partition : partitions.isEmpty() ? List.of("") : partitions) {
                    parts.add(new Part(reader, index, partition, columns, bySql(reader.donor(), partition, columns)));
                }
                change(writer);
                return parts.stream().mapToInt(part -> part.compare(Math.max(1, requests / parts.size()))).sum();
            }
        }
    }

    private static boolean isRead(ScanColumn column)
    {
        return !UNREAD.contains(column.type()) && column.precision() <= 38;
    }

    private List<List<String>> bySql(Session session, String partition, List<ScanColumn> columns)
    {
        return NativeScan.bySqlByRowIds(session, table + (partition.isEmpty() ? "" : " PARTITION (%s)".formatted(partition)), columns);
    }

    // The snapshot sees nothing of it.
    private void change(Session writer)
    {
        // MySQL 9.7 itself then gives old versions of some rows only the prefix, where columns were added instantly.
        Predicate<String> isPrefixOfKey = name -> drawn.statements().getFirst().contains(name + "(");
        List<String> names = drawn.table().columns().stream().filter(column -> !column.definition().contains(" AS ")).map(column -> column.name()).filter(isPrefixOfKey.negate()).toList();
        for (int i = 0; i < 6; i++) {
            String name = names.get(random.nextInt(names.size()));
            String rows = "n %% %d = %d".formatted(2 + random.nextInt(9), random.nextInt(2));
            // A key may hold the value already.
            writer.execute(switch (random.nextInt(3)) {
                case 0 -> "DELETE FROM %s WHERE %s LIMIT 50".formatted(table, rows);
                case 1 -> "UPDATE IGNORE %s SET %s = %s WHERE %s".formatted(table, name, drawn.table().columns().stream().filter(column -> column.name().equals(name)).findFirst().orElseThrow().presentValue(random), rows);
                default -> "UPDATE IGNORE %s SET n = n + 10000 WHERE %s LIMIT 20".formatted(table, rows);
            });
        }
    }

    private final class Part
    {
        private final SnapshotReader reader;
        private final String index;
        private final String option;
        private final List<ScanColumn> columns;
        // In the order of the clustered index, which is known by what the first scan reads.
        private final List<List<String>> rows;
        private final List<List<String>> bounds;
        // The same rows as a batch has them: numbers, or bytes.
        private final List<List<Object>> cells;

        Part(SnapshotReader reader, String index, String partition, List<ScanColumn> columns, List<List<String>> bySql)
        {
            this.reader = reader;
            this.index = index;
            this.option = partition.isEmpty() ? "" : "\"partition\": \"%s\", ".formatted(partition);
            NativeScan.Scanned all = scan(columns, "");
            // Values that are stored off-page and are too long for a scan.
            List<Integer> kept = IntStream.range(0, columns.size()).filter(i -> !all.stopped() || !columns.get(i).type().matches(".*(text|blob|char)")).boxed().toList();
            this.columns = kept.stream().map(columns::get).toList();
            this.rows = all.stopped() ? scan(this.columns, "").rows() : all.rows();
            assertSame("the whole table", sorted(rows), sorted(bySql.stream().map(row -> kept.stream().map(row::get).toList()).toList()));
            this.cells = cells();
            this.bounds = partition.isEmpty() && !index.equals("GEN_CLUST_INDEX") && random.nextBoolean() ? RangePlan.ask(reader.donor(), table, index, 2 + random.nextInt(7)).boundaries() : List.of();
        }

        int compare(int requests)
        {
            for (int i = 0; i < requests; i++) {
                switch (random.nextInt(5)) {
                    case 0 -> compareGroups();
                    case 1 -> compareExpressions();
                    case 2 -> compareFirst();
                    default -> compareRows();
                }
            }
            return requests;
        }

        private void compareRows()
        {
            List<Integer> chosen = chosen();
            List<ScanColumn> wanted = chosen.stream().map(columns::get).toList();
            Filter filter = random.nextInt(3) == 0 ? filter() : ALL;
            List<List<String>> expected = rows.stream().filter(filter.passes()).map(row -> chosen.stream().map(row::get).toList()).toList();
            List<List<String>> read = new ArrayList<>();
            boolean stopped = false;
            for (int range = 0; range <= bounds.size() && !stopped; range++) {
                NativeScan.Scanned scanned = scan(wanted, sizes() + filter.option() + bounds(range));
                read.addAll(scanned.rows());
                // A small batch does not hold each value.
                stopped = scanned.stopped();
            }
            assertSame("columns %s, filter %s, bounds %s".formatted(wanted, filter.option(), bounds), read, stopped ? expected.subList(0, read.size()) : expected);
        }

        // Rows with expressions behind their columns.
        private void compareExpressions()
        {
            List<Integer> chosen = List.copyOf(chosen());
            Evaluation evaluation = evaluation(random.nextInt(3));
            Optional<List<List<Object>>> expected = evaluation.rows().map(all -> all.stream()
                    .map(row -> Stream.concat(chosen.stream().map(row::get), row.subList(columns.size(), row.size()).stream()).map(RandomScans::comparable).toList())
                    .toList());
            List<List<Object>> read = new ArrayList<>();
            boolean stopped = false;
            for (int range = 0; range <= bounds.size() && !stopped; range++) {
                for (ScanBatch batch : batches(chosen.stream().map(columns::get).toList(), evaluation.options() + bounds(range))) {
                    for (int row = 0; row < batch.rows(); row++) {
                        int at = row;
                        read.add(batch.columns().stream().map(column -> comparable(column.get(at))).toList());
                    }
                    stopped = batch.end() == ScanBatch.STOPPED;
                }
            }
            if (expected.isPresent() && !stopped) {
                assertThat(read).as("columns %s, %s, bounds %s, by %s", chosen, evaluation.options(), bounds, drawn.statements().getFirst()).isEqualTo(expected.get());
            }
            assertThat(stopped || expected.isPresent()).as("an expression of %s has no value for some row, by %s", evaluation.options(), drawn.statements().getFirst()).isTrue();
            assertThat(stopped && expected.isPresent() && !hasLongValues()).as("%s has values for all rows, by %s", evaluation.options(), drawn.statements().getFirst()).isFalse();
        }

        // The first rows of all ranges' rows, of which rows that are equal in the order may be any. Nothing comes that is no row.
        private void compareFirst()
        {
            Evaluation evaluation = evaluation(1 + random.nextInt(3));
            List<Order> order = new ArrayList<>(IntStream.range(0, evaluation.expressions().size())
                    .mapToObj(i -> new Order(columns.size() + i, evaluation.expressions().get(i).json(), false, random.nextBoolean(), random.nextBoolean()))
                    .toList());
            List<Integer> doubles = IntStream.range(0, columns.size()).filter(i -> columns.get(i).type().equals("double")).boxed().toList();
            if (!doubles.isEmpty() && random.nextBoolean()) {
                int column = doubles.get(random.nextInt(doubles.size()));
                order.add(random.nextInt(order.size() + 1), new Order(column, "[\"column\", \"%s\"]".formatted(columns.get(column).name()), true, random.nextBoolean(), random.nextBoolean()));
            }
            int count = 1 + random.nextInt(20) * random.nextInt(20);
            String first = "\"first\": {\"rows\": %d, \"order\": [%s]}, ".formatted(
                    count,
                    order.stream().map(Order::option).collect(joining(", ")));
            List<List<Object>> read = new ArrayList<>();
            int batches = 0;
            boolean stopped = false;
            for (int range = 0; range <= bounds.size() && !stopped; range++) {
                for (ScanBatch batch : batches(columns, evaluation.options() + first + bounds(range))) {
                    batches++;
                    for (int row = 0; row < batch.rows(); row++) {
                        int at = row;
                        read.add(batch.columns().stream().map(column -> column.get(at)).toList());
                    }
                    stopped = batch.end() == ScanBatch.STOPPED;
                }
            }
            String what = "%s, %s, bounds %s, by %s".formatted(first, evaluation.options(), bounds, drawn.statements().getFirst());
            // A row that comes too late may be left out before its conditions are evaluated.
            assertThat(stopped || evaluation.rows().isPresent() || !evaluation.whereHasValues()).as("an expression of %s has no value for some row", what).isTrue();
            if (stopped || evaluation.rows().isEmpty()) {
                return;
            }
            List<List<Object>> all = evaluation.rows().get();
            assertThat(firstOf(read, order, count)).as(what).isEqualTo(firstOf(all, order, count));
            Map<List<Object>, Long> left = all.stream().collect(groupingBy(RandomScans::comparable, counting()));
            read.forEach(row -> assertThat(left.merge(comparable(row), -1L, Long::sum)).as("row %s of %s", row, what).isNotNegative());
            // Each batch may send its own first ones, and any number of texts whose beginnings are equal.
            boolean ofTexts = evaluation.expressions().stream().anyMatch(expression -> expression.kind() == Kind.TEXT);
            assertThat(ofTexts ? 0 : read.size()).as(what).isLessThanOrEqualTo(batches * count);
        }

        // What the rows are ordered by.
        private List<List<Object>> firstOf(List<List<Object>> rows, List<Order> order, int count)
        {
            Comparator<List<Object>> comparator = order.stream().map(Order::comparator).reduce(Comparator::thenComparing).orElseThrow();
            return rows.stream().sorted(comparator).limit(count).map(row -> order.stream().map(column -> column.value(row)).toList()).toList();
        }

        private boolean hasLongValues()
        {
            return columns.stream().anyMatch(column -> column.type().matches(".*(text|blob|char|binary)"));
        }

        // Draws a filter and expressions, and computes which rows pass and what they are.
        private Evaluation evaluation(int count)
        {
            RandomExpression drawing = new RandomExpression(random, columns);
            Filter filter = random.nextInt(3) == 0 ? filter() : ALL;
            List<Expression> where = random.nextInt(3) == 0 ? List.of(drawing.of(Kind.TRUTH, 2)) : List.of();
            List<Expression> expressions = IntStream.range(0, count).mapToObj(_ -> drawing.any(random.nextInt(4))).toList();
            String options = sizes() + filter.option()
                    + "\"where\": [%s], ".formatted(where.stream().map(Expression::json).collect(joining(", ")))
                    + "\"expressions\": [%s], ".formatted(expressions.stream().map(Expression::option).collect(joining(", ")));
            List<List<Object>> passing = new ArrayList<>();
            try {
                for (int i = 0; i < rows.size(); i++) {
                    List<Object> row = cells.get(i);
                    if (filter.passes().test(rows.get(i)) && passes(where, row)) {
                        List<Object> extended = new ArrayList<>(row);
                        expressions.forEach(expression -> extended.add(expression.cell(row)));
                        passing.add(extended);
                    }
                }
            }
            catch (NoValueException e) {
                return new Evaluation(options, expressions, Optional.empty(), haveValues(filter, where));
            }
            return new Evaluation(options, expressions, Optional.of(passing), true);
        }

        private boolean passes(List<Expression> where, List<Object> row)
        {
            return where.stream().allMatch(condition -> Boolean.TRUE.equals(condition.value().apply(row)));
        }

        private boolean haveValues(Filter filter, List<Expression> where)
        {
            try {
                for (int i = 0; i < rows.size(); i++) {
                    if (filter.passes().test(rows.get(i))) {
                        passes(where, cells.get(i));
                    }
                }
            }
            catch (NoValueException e) {
                return false;
            }
            return true;
        }

        private List<ScanBatch> batches(List<ScanColumn> wanted, String options)
        {
            NativeScan scan = new NativeScan(reader.session(), reader.token(), table, index, wanted, option + options);
            return scan.batches(NativeScan.sql(table, index, reader.token(), scan.options(null), rows.size() + 2));
        }

        private List<List<Object>> cells()
        {
            NativeScan whole = new NativeScan(reader.session(), reader.token(), table, index, columns, option);
            List<List<Object>> all = new ArrayList<>();
            for (ScanBatch batch : whole.batches(NativeScan.sql(table, index, reader.token(), whole.options(null), 100))) {
                for (int row = 0; row < batch.rows(); row++) {
                    int at = row;
                    all.add(batch.columns().stream().map(column -> column.get(at)).toList());
                }
            }
            assertThat(all).hasSameSizeAs(rows);
            return all;
        }

        // What the extension computes of each range, put together, is what the rows give.
        private void compareGroups()
        {
            Evaluation evaluation = evaluation(random.nextInt(3));
            List<Integer> places = aggregable();
            IntStream.range(0, evaluation.expressions().size()).forEach(i -> places.add(columns.size() + i));
            Collections.shuffle(places, random);
            List<Integer> groups = List.copyOf(places.subList(0, random.nextInt(Math.min(4, places.size() + 1))));
            List<Function> functions = functions(evaluation.expressions());
            String aggregate = "\"aggregate\": {\"groups\": %s, \"functions\": [%s]}, ".formatted(groups, functions.stream().map(Function::option).collect(joining(", ")));
            Map<List<Object>, List<Object>> read = new HashMap<>();
            boolean stopped = false;
            for (int range = 0; range <= bounds.size() && !stopped; range++) {
                for (ScanBatch batch : batches(columns, evaluation.options() + aggregate + bounds(range))) {
                    addGroups(read, batch, groups, functions);
                    stopped = batch.end() == ScanBatch.STOPPED;
                }
            }
            assertThat(stopped || evaluation.rows().isPresent()).as("an expression of %s has no value for some row, by %s", evaluation.options(), drawn.statements().getFirst()).isTrue();
            if (stopped || evaluation.rows().isEmpty()) {
                return;
            }
            Map<List<Object>, List<Object>> expected = new HashMap<>();
            for (List<Object> row : evaluation.rows().get()) {
                merge(expected, groups.stream().map(row::get).map(RandomScans::comparable).toList(), functions, functions.stream().map(function -> function.of(row)).toList());
            }
            if (groups.isEmpty()) {
                // Without rows there is a group all the same.
                expected.computeIfAbsent(List.of(), _ -> functions.stream().map(Function::ofNothing).toList());
            }
            assertThat(withCloseSums(read, expected)).as("%s, %s, bounds %s, by %s", aggregate, evaluation.options(), bounds, drawn.statements().getFirst()).isEqualTo(expected);
        }

        private void addGroups(Map<List<Object>, List<Object>> read, ScanBatch batch, List<Integer> groups, List<Function> functions)
        {
            for (int row = 0; row < batch.rows(); row++) {
                List<Object> key = new ArrayList<>();
                int column = 0;
                for (; column < groups.size(); column++) {
                    key.add(comparable(batch.columns().get(column).get(row)));
                }
                List<Object> values = new ArrayList<>();
                for (Function function : functions) {
                    Object value = function.value(batch.columns().get(column++).get(row));
                    if (function.isWideSum()) {
                        BigInteger lower = (BigInteger) batch.columns().get(column++).get(row);
                        value = value == null ? null : ((BigInteger) value).shiftLeft(64).add(lower);
                    }
                    values.add(value);
                }
                assertThat(column).isEqualTo(batch.columns().size());
                merge(read, key, functions, values);
            }
        }

        // Both zeros of a double are groups of their own here. Long keys fill the table of groups.
        private List<Integer> aggregable()
        {
            return new ArrayList<>(IntStream.range(0, columns.size()).filter(i -> !columns.get(i).type().matches(".*(text|blob)")).boxed().toList());
        }

        private List<Function> functions(List<Expression> expressions)
        {
            List<String> layouts = Stream.concat(columns.stream().map(ScanColumn::layout), expressions.stream().map(Expression::layout)).toList();
            List<Integer> places = Stream.concat(aggregable().stream(), IntStream.range(columns.size(), layouts.size()).boxed()).toList();
            List<Function> functions = new ArrayList<>(List.of(new Function("count", -1, "", "")));
            for (int i = random.nextInt(6); i > 0; i--) {
                int place = places.get(random.nextInt(places.size()));
                String type = place < columns.size() ? columns.get(place).type() : "";
                boolean isAdded = !layouts.get(place).equals("bytes") && !type.equals("float");
                functions.add(new Function(List.of("count", "min", "max", "sum").get(random.nextInt(isAdded ? 4 : 3)), place, layouts.get(place), type));
            }
            return functions;
        }

        private NativeScan.Scanned scan(List<ScanColumn> wanted, String options)
        {
            return new NativeScan(reader.session(), reader.token(), table, index, wanted, option + options).read();
        }

        private List<Integer> chosen()
        {
            List<Integer> all = new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
            Collections.shuffle(all, random);
            return all.subList(0, random.nextInt(columns.size() + 1));
        }

        private String sizes()
        {
            return switch (random.nextInt(3)) {
                case 0 -> "\"rows\": %d, ".formatted(1 + random.nextInt(20) * random.nextInt(20));
                case 1 -> "\"bytes\": 65536, ";
                default -> "";
            };
        }

        private String bounds(int range)
        {
            return (range == 0 ? "" : "\"lower\": %s, ".formatted(key(bounds.get(range - 1)))) + (range == bounds.size() ? "" : "\"upper\": %s, ".formatted(key(bounds.get(range))));
        }

        private static String key(List<String> values)
        {
            return values.stream().map(value -> value == null ? "null" : "\"%s\"".formatted(value)).collect(joining(", ", "[", "]"));
        }

        // An interval between two values that there are.
        private Filter filter()
        {
            List<Integer> comparable = IntStream.range(0, columns.size()).filter(i -> NUMBERS.contains(columns.get(i).type()) || TIMES.contains(columns.get(i).type())).boxed().toList();
            int column = comparable.get(random.nextInt(comparable.size()));
            List<String> values = rows.stream().map(row -> row.get(column)).filter(value -> value != null).toList();
            boolean nulls = random.nextBoolean();
            if (values.isEmpty()) {
                return ALL;
            }
            Comparator<String> order = NUMBERS.contains(columns.get(column).type()) ? comparing(BigDecimal::new) : Comparator.naturalOrder();
            List<String> ends = List.of(values.get(random.nextInt(values.size())), values.get(random.nextInt(values.size()))).stream().sorted(order).toList();
            boolean from = random.nextBoolean();
            boolean to = random.nextBoolean();
            String json = "\"filters\": [{\"column\": \"%s\", \"intervals\": [[\"%s\", %s, \"%s\", %s]], \"nulls\": %s}], ".formatted(columns.get(column).name(), ends.getFirst(), from, ends.getLast(), to, nulls);
            return new Filter(json, row -> {
                String value = row.get(column);
                return value == null ? nulls : order.compare(value, ends.getFirst()) >= (from ? 0 : 1) && order.compare(value, ends.getLast()) <= (to ? 0 : -1);
            });
        }
    }

    // Names the first row that differs, and not all of them.
    private void assertSame(String what, List<List<String>> read, List<List<String>> expected)
    {
        assertThat(read.size()).as("rows of %s, by %s", what, drawn.statements()).isEqualTo(expected.size());
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i)).as("row %s of %s, by %s", i, what, drawn.statements().getFirst()).isEqualTo(expected.get(i));
        }
    }

    private static List<List<String>> sorted(List<List<String>> rows)
    {
        return rows.stream().sorted((left, right) -> IntStream.range(0, left.size())
                .map(i -> nullsFirst(Comparator.<String>naturalOrder()).compare(left.get(i), right.get(i)))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(0)).toList();
    }

    // Bytes have no equality of their own.
    private static Object comparable(Object cell)
    {
        return cell instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : cell;
    }

    private static List<Object> comparable(List<Object> row)
    {
        return row.stream().map(RandomScans::comparable).toList();
    }

    private static void merge(Map<List<Object>, List<Object>> groups, List<Object> key, List<Function> functions, List<Object> values)
    {
        groups.merge(key, values, (left, right) -> IntStream.range(0, functions.size()).mapToObj(i -> functions.get(i).merged(left.get(i), right.get(i))).collect(toCollection(ArrayList::new)));
    }

    /** @param place of a column, or of an expression behind the columns */
    private record Order(int place, String expression, boolean isDouble, boolean descending, boolean nullsFirst)
    {
        String option()
        {
            return "[%s, \"%s\", \"%s\"]".formatted(expression, descending ? "descending" : "ascending", nullsFirst ? "nulls_first" : "nulls_last");
        }

        // Both zeros are equal.
        private static double number(Object bits)
        {
            return Double.longBitsToDouble(((BigInteger) bits).longValueExact()) + 0.0;
        }

        Object value(List<Object> row)
        {
            Object cell = row.get(place);
            return isDouble && cell != null ? (Object) number(cell) : comparable(cell);
        }

        Comparator<List<Object>> comparator()
        {
            Comparator<Object> values = isDouble
                    ? Comparator.comparingDouble(Order::number)
                    : (left, right) -> left instanceof byte[] bytes ? Arrays.compareUnsigned(bytes, (byte[]) right) : ((BigInteger) left).compareTo((BigInteger) right);
            Comparator<Object> turned = descending ? values.reversed() : values;
            Comparator<Object> ordered = nullsFirst ? Comparator.nullsFirst(turned) : Comparator.nullsLast(turned);
            return (left, right) -> ordered.compare(left.get(place), right.get(place));
        }
    }

    // A sum of doubles depends on the order of additions. Takes the one that is expected for one that is close to it.
    private static Map<List<Object>, List<Object>> withCloseSums(Map<List<Object>, List<Object>> read, Map<List<Object>, List<Object>> expected)
    {
        Map<List<Object>, List<Object>> all = new HashMap<>();
        read.forEach((key, values) -> {
            List<Object> others = expected.get(key);
            all.put(key, others == null ? values : IntStream.range(0, values.size()).mapToObj(i -> others.get(i) instanceof Total total && total.isClose(values.get(i)) ? total : values.get(i)).collect(toCollection(ArrayList::new)));
        });
        return all;
    }

    /** A sum of doubles, and that of their distances from 0. */
    private record Total(double sum, double distance)
    {
        Total plus(Total other)
        {
            return new Total(sum + other.sum, distance + other.distance);
        }

        boolean isClose(Object other)
        {
            return other instanceof Total total && (!Double.isFinite(distance) || Math.abs(sum - total.sum) <= 1e-9 * distance);
        }
    }

    /**
     * @param column among the scan's; -1 for a count of rows
     * @param type empty of an expression
     */
    private record Function(String name, int column, String layout, String type)
    {
        String option()
        {
            return column < 0 ? "[\"count\"]" : "[\"%s\", %s]".formatted(name, column);
        }

        boolean isWideSum()
        {
            return name.equals("sum") && layout.equals("int128");
        }

        // A number, or a text as comparable() writes it, whose order is that of its bytes.
        Object of(List<Object> row)
        {
            boolean isValue = column < 0 || row.get(column) != null;
            return name.equals("count") ? isValue ? ONE : ZERO : value(row.get(column));
        }

        Object value(Object cell)
        {
            if (cell == null || name.equals("count") || !type.matches("double|float")) {
                return comparable(cell);
            }
            double value = type.equals("double") ? Double.longBitsToDouble(((BigInteger) cell).longValueExact()) : Float.intBitsToFloat(((BigInteger) cell).intValueExact());
            return name.equals("sum") ? new Total(value, Math.abs(value)) : (Object) value;
        }

        Object ofNothing()
        {
            return name.equals("count") ? ZERO : null;
        }

        Object merged(Object left, Object right)
        {
            if (left == null || right == null) {
                return left == null ? right : left;
            }
            return switch (name) {
                case "min" -> compare(left, right) <= 0 ? left : right;
                case "max" -> compare(left, right) >= 0 ? left : right;
                default -> left instanceof Total total ? total.plus((Total) right) : ((BigInteger) left).add((BigInteger) right);
            };
        }

        private static int compare(Object left, Object right)
        {
            return switch (left) {
                case String text -> text.compareTo((String) right);
                case Double number -> number.compareTo((Double) right);
                default -> ((BigInteger) left).compareTo((BigInteger) right);
            };
        }
    }

    /**
     * @param rows those that pass, with the cells of the columns and then of the expressions; empty if an expression has no value for one of them
     * @param whereHasValues whether the option `where` has values for all rows that pass the filters
     */
    private record Evaluation(String options, List<Expression> expressions, Optional<List<List<Object>>> rows, boolean whereHasValues)
    {}

    private record Filter(String option, Predicate<List<String>> passes)
    {}
}
