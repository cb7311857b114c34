package io.mysqlpq.extension;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;

/**
 * Filters rows by an interval of one column.
 *
 * @param option as the scan has it
 * @param passes for a row as SQL gives it
 */
record RowFilter(String option, Predicate<List<String>> passes)
{
    static final RowFilter ALL = new RowFilter("", _ -> true);

    private static final Set<String> NUMBERS = Set.of("tinyint", "smallint", "mediumint", "int", "bigint", "decimal");
    private static final Set<String> TIMES = Set.of("date", "datetime", "timestamp");

    /** Draws an interval between two values that there are. */
    static RowFilter draw(Random random, TablePart part)
    {
        List<ScanColumn> columns = part.columns();
        List<Integer> comparable = IntStream.range(0, columns.size()).filter(i -> NUMBERS.contains(columns.get(i).type()) || TIMES.contains(columns.get(i).type())).boxed().toList();
        int column = comparable.get(random.nextInt(comparable.size()));
        List<String> values = part.rows().stream().map(row -> row.get(column)).filter(value -> value != null).toList();
        boolean nulls = random.nextBoolean();
        if (values.isEmpty()) {
            return ALL;
        }
        Comparator<String> order = NUMBERS.contains(columns.get(column).type()) ? comparing(BigDecimal::new) : naturalOrder();
        List<String> ends = List.of(values.get(random.nextInt(values.size())), values.get(random.nextInt(values.size()))).stream().sorted(order).toList();
        boolean from = random.nextBoolean();
        boolean to = random.nextBoolean();
        String json = "\"filters\": [{\"column\": \"%s\", \"intervals\": [[\"%s\", %s, \"%s\", %s]], \"nulls\": %s}], ".formatted(columns.get(column).name(), ends.getFirst(), from, ends.getLast(), to, nulls);
        return new RowFilter(json, row -> {
            String value = row.get(column);
            return value == null ? nulls : order.compare(value, ends.getFirst()) >= (from ? 0 : 1) && order.compare(value, ends.getLast()) <= (to ? 0 : -1);
        });
    }
}
