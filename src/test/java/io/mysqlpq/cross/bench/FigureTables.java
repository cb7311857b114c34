package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.TextTable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Prints medians as tables: one of single queries, one of loads.
 *
 * @param cases the figures of each case; the speed of the first side is 1
 */
record FigureTables(List<List<Figures>> cases)
{
    private static final List<Column> QUERY = List.of(new Column("s", "%.3f", Sample::seconds));
    private static final List<Column> LOAD = List.of(
            new Column("per s", "%,.1f", sample -> sample.work().perSecond()),
            new Column("errors", "%.0f", sample -> sample.work().errors()),
            new Column("median ms", "%.1f", sample -> sample.work().medianSeconds() * 1000),
            new Column("p99 ms", "%.1f", sample -> sample.work().slowSeconds() * 1000));
    private static final List<Column> SERVERS = List.of(
            new Column("mysqld CPU s", "%.2f", sample -> sample.cpu().mysql()),
            new Column("Trino CPU s", "%.2f", sample -> sample.cpu().trino()),
            new Column("MB sent", "%.1f", sample -> sample.sentBytes() / 1e6),
            new Column("mysqld MB", "%.0f", sample -> (double) (sample.memory().mysql() >> 20)),
            new Column("Trino MB", "%.0f", sample -> (double) (sample.memory().trino() >> 20)));

    private record Column(String name, String format, ToDoubleFunction<Sample> figure)
    {
        String cell(Figures side)
        {
            return format.formatted(side.median(figure));
        }
    }

    /** The figure that matters most, with its unit. */
    static String main(Figures side)
    {
        return isQuery(side) ? QUERY.getFirst().cell(side) + " s" : LOAD.getFirst().cell(side) + "/s";
    }

    void print(PrintStream out)
    {
        print(out, FigureTables::isQuery, QUERY);
        print(out, side -> !isQuery(side), LOAD);
        new ScanTable(cases).print(out);
    }

    private static boolean isQuery(Figures side)
    {
        return side.counted() == Counted.SINGLE_QUERY;
    }

    private void print(PrintStream out, Predicate<Figures> chosen, List<Column> columns)
    {
        List<String> header = new ArrayList<>(List.of("query", "side", "speed"));
        columns.forEach(column -> header.add(column.name()));
        SERVERS.forEach(column -> header.add(column.name()));
        TextTable table = new TextTable(header, IntStream.range(0, header.size()).mapToObj(column -> column > 1).toList());
        cases.stream().filter(sides -> chosen.test(sides.getFirst())).forEach(sides -> sides.forEach(side -> table.add(row(side, sides.getFirst(), columns))));
        if (table.rowCount() > 0) {
            out.println();
            table.print(out);
        }
    }

    private static List<String> row(Figures side, Figures first, List<Column> columns)
    {
        List<String> row = new ArrayList<>(List.of(side.equals(first) ? side.query() : "", side.side(), "%.2f x".formatted(side.speedOver(first))));
        columns.forEach(column -> row.add(column.cell(side)));
        SERVERS.forEach(column -> row.add(column.cell(side)));
        return row;
    }
}
