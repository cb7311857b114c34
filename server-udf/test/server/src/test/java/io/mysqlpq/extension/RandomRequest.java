package io.mysqlpq.extension;

import io.mysqlpq.extension.RandomExpression.Expression;
import io.mysqlpq.extension.RandomExpression.Kind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws what a scan is asked for: columns, sizes and forms of batches, filters, expressions, groups and orders.
 */
final class RandomRequest
{
    private final Random random;
    private final TablePart part;
    private final List<ScanColumn> columns;

    RandomRequest(Random random, TablePart part)
    {
        this.random = random;
        this.part = part;
        this.columns = part.columns();
    }

    /** Some columns, by their places. */
    List<Integer> columns()
    {
        List<Integer> all = new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
        Collections.shuffle(all, random);
        return List.copyOf(all.subList(0, random.nextInt(columns.size() + 1)));
    }

    String batches()
    {
        String size = switch (random.nextInt(3)) {
            case 0 -> "\"rows\": %d, ".formatted(firstRows());
            case 1 -> "\"bytes\": 65536, ";
            default -> "";
        };
        String form = switch (random.nextInt(3)) {
            case 0 -> "\"compression\": \"narrow\", ";
            case 1 -> "\"compression\": \"zstd\", ";
            default -> "";
        };
        return size + form;
    }

    /** More often few than many. */
    int firstRows()
    {
        return 1 + random.nextInt(20) * random.nextInt(20);
    }

    RowFilter filter()
    {
        return random.nextInt(3) == 0 ? RowFilter.draw(random, part) : RowFilter.ALL;
    }

    /** Draws a filter, a condition and as many expressions. */
    Evaluation evaluation(int expressions)
    {
        RandomExpression drawing = new RandomExpression(random, columns);
        RowFilter filter = filter();
        List<Expression> where = random.nextInt(3) == 0 ? List.of(drawing.of(Kind.TRUTH, 2)) : List.of();
        return Evaluation.of(part, batches(), filter, where, IntStream.range(0, expressions).mapToObj(_ -> drawing.any(random.nextInt(4))).toList());
    }

    /** All expressions in any direction, and often a column of floating numbers. */
    RowOrder order(Evaluation evaluation)
    {
        List<RowOrder.Item> items = new ArrayList<>(IntStream.range(0, evaluation.expressions().size())
                .mapToObj(i -> new RowOrder.Item(columns.size() + i, evaluation.expressions().get(i).json(), false, random.nextBoolean(), random.nextBoolean()))
                .toList());
        List<Integer> doubles = IntStream.range(0, columns.size()).filter(i -> columns.get(i).type().equals("double")).boxed().toList();
        if (!doubles.isEmpty() && random.nextBoolean()) {
            int column = doubles.get(random.nextInt(doubles.size()));
            items.add(random.nextInt(items.size() + 1), new RowOrder.Item(column, "[\"column\", \"%s\"]".formatted(columns.get(column).name()), true, random.nextBoolean(), random.nextBoolean()));
        }
        return new RowOrder(items);
    }

    Aggregation aggregation(Evaluation evaluation)
    {
        List<String> layouts = Stream.concat(columns.stream().map(ScanColumn::layout), evaluation.expressions().stream().map(Expression::layout)).toList();
        // Long keys fill the table of groups.
        List<Integer> places = new ArrayList<>(IntStream.range(0, layouts.size()).filter(i -> i >= columns.size() || !columns.get(i).type().matches(".*(text|blob)")).boxed().toList());
        Collections.shuffle(places, random);
        List<Integer> groups = List.copyOf(places.subList(0, random.nextInt(Math.min(4, places.size() + 1))));
        List<AggregateFunction> functions = new ArrayList<>(List.of(AggregateFunction.COUNT_OF_ROWS));
        for (int i = random.nextInt(6); i > 0; i--) {
            int place = places.get(random.nextInt(places.size()));
            String type = place < columns.size() ? columns.get(place).type() : "";
            boolean isAdded = !layouts.get(place).equals("bytes") && !type.equals("float");
            String name = List.of("count", "min", "max", "sum").get(random.nextInt(isAdded ? 4 : 3));
            OptionalInt beside = name.startsWith("m") && random.nextBoolean() ? OptionalInt.of(places.get(random.nextInt(places.size()))) : OptionalInt.empty();
            functions.add(new AggregateFunction(name, place, layouts.get(place), type, beside));
        }
        return new Aggregation(groups, functions);
    }
}
