package io.mysqlpq.extension;

import io.mysqlpq.extension.RandomExpression.Kind;
import io.mysqlpq.extension.TablePart.Scanned;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares what scans of a part give with what its rows give.
 */
final class ScanComparisons
{
    private final TablePart part;
    private final List<ScanColumn> columns;
    private final Random random;
    private final RandomRequest request;
    private final String definition;

    /** @param definition of the table, for messages */
    ScanComparisons(TablePart part, Random random, String definition)
    {
        this.part = part;
        this.columns = part.columns();
        this.random = random;
        this.request = new RandomRequest(random, part);
        this.definition = definition;
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
        List<Integer> chosen = request.columns();
        List<ScanColumn> wanted = chosen.stream().map(columns::get).toList();
        RowFilter filter = request.filter();
        List<List<String>> expected = part.rows().stream().filter(filter.passes()).map(row -> chosen.stream().map(row::get).toList()).toList();
        Scanned<List<String>> scanned = part.scan(wanted, request.batches() + filter.option());
        // A small batch does not hold each value.
        TablePart.assertSame(what("columns %s, filter %s".formatted(wanted, filter.option())), scanned.parts(), scanned.stopped() ? expected.subList(0, scanned.parts().size()) : expected);
    }

    // Rows with expressions behind their columns.
    private void compareExpressions()
    {
        List<Integer> chosen = request.columns();
        Evaluation evaluation = request.evaluation(random.nextInt(3));
        Scanned<ScanBatch> scanned = part.batches(chosen.stream().map(columns::get).toList(), evaluation.options());
        String what = what("columns %s, %s".formatted(chosen, evaluation.options()));
        if (evaluation.rows().isPresent() && !scanned.stopped()) {
            assertThat(rows(scanned).map(TablePart::comparable).toList()).as(what).isEqualTo(evaluation.rows().get().stream()
                    .map(row -> TablePart.comparable(Stream.concat(chosen.stream().map(row::get), row.subList(columns.size(), row.size()).stream()).toList()))
                    .toList());
        }
        assertThat(scanned.stopped() || evaluation.rows().isPresent()).as("an expression has no value for some row: %s", what).isTrue();
        assertThat(scanned.stopped() && evaluation.rows().isPresent() && !hasLongValues()).as("expressions have values for all rows: %s", what).isFalse();
    }

    // The first rows of all ranges' rows, of which rows that are equal in the order may be any. Nothing comes that is no row.
    private void compareFirst()
    {
        Evaluation evaluation = request.evaluation(1 + random.nextInt(3));
        RowOrder order = request.order(evaluation);
        int count = request.firstRows();
        Scanned<ScanBatch> scanned = part.batches(columns, evaluation.options() + order.option(count));
        String what = what(order.option(count) + evaluation.options());
        // A row that comes too late may be left out before its conditions are evaluated.
        assertThat(scanned.stopped() || evaluation.rows().isPresent() || !evaluation.whereHasValues()).as("an expression has no value for some row: %s", what).isTrue();
        if (scanned.stopped() || evaluation.rows().isEmpty()) {
            return;
        }
        List<List<Object>> read = rows(scanned).toList();
        List<List<Object>> all = evaluation.rows().get();
        assertThat(order.firstOf(read, count)).as(what).isEqualTo(order.firstOf(all, count));
        Map<List<Object>, Long> left = all.stream().collect(groupingBy(TablePart::comparable, counting()));
        read.forEach(row -> assertThat(left.merge(TablePart.comparable(row), -1L, Long::sum)).as("row %s of %s", row, what).isNotNegative());
        // Each batch may send its own first ones, and any number of texts whose beginnings are equal.
        boolean ofTexts = evaluation.expressions().stream().anyMatch(expression -> expression.kind() == Kind.TEXT);
        assertThat(ofTexts ? 0 : read.size()).as(what).isLessThanOrEqualTo(scanned.parts().size() * count);
    }

    // What the extension computes of each range, put together, is what the rows give.
    private void compareGroups()
    {
        Evaluation evaluation = request.evaluation(random.nextInt(3));
        Aggregation aggregation = request.aggregation(evaluation);
        Scanned<ScanBatch> scanned = part.batches(columns, evaluation.options() + aggregation.option());
        String what = what(aggregation.option() + evaluation.options());
        assertThat(scanned.stopped() || evaluation.rows().isPresent()).as("an expression has no value for some row: %s", what).isTrue();
        if (scanned.stopped() || evaluation.rows().isEmpty()) {
            return;
        }
        Map<List<Object>, List<Object>> expected = aggregation.ofRows(evaluation.rows().get());
        assertThat(Aggregation.withCloseSums(aggregation.ofBatches(scanned.parts()), expected)).as(what).isEqualTo(expected);
    }

    private static Stream<List<Object>> rows(Scanned<ScanBatch> scanned)
    {
        return scanned.parts().stream().flatMap(batch -> batch.cellsOfRows().stream());
    }

    private boolean hasLongValues()
    {
        return columns.stream().anyMatch(column -> column.type().matches(".*(text|blob|char|binary)"));
    }

    private String what(String asked)
    {
        return "%s, bounds %s, by %s".formatted(asked, part.bounds(), definition);
    }
}
