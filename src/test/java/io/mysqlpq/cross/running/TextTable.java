package io.mysqlpq.cross.running;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import static java.lang.Math.max;

/**
 * Prints rows under a header in columns as wide as their widest cell.
 */
public final class TextTable
{
    private final List<String> header;
    private final List<Boolean> rightAligned;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(List<String> header, List<Boolean> rightAligned)
    {
        this.header = List.copyOf(header);
        this.rightAligned = List.copyOf(rightAligned);
    }

    public void add(List<String> row)
    {
        rows.add(List.copyOf(row));
    }

    public int rowCount()
    {
        return rows.size();
    }

    public void print(PrintStream out)
    {
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < header.size(); column++) {
            widths.add(width(column));
        }
        out.println(line(header, widths));
        out.println(String.join("-+-", widths.stream().map("-"::repeat).toList()));
        rows.forEach(row -> out.println(line(row, widths)));
    }

    private int width(int column)
    {
        return rows.stream()
                .flatMap(row -> row.get(column).lines())
                .mapToInt(String::length)
                .reduce(header.get(column).length(), Math::max);
    }

    private String line(List<String> cells, List<Integer> widths)
    {
        List<String> padded = new ArrayList<>();
        for (int column = 0; column < cells.size(); column++) {
            // A cell of several lines, such as a plan, is longer than its column is wide.
            String padding = " ".repeat(max(widths.get(column) - cells.get(column).length(), 0));
            padded.add(rightAligned.get(column) ? padding + cells.get(column) : cells.get(column) + padding);
        }
        return String.join(" | ", padded).stripTrailing();
    }
}
