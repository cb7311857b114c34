package io.mysqlpq.cross.bench;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

import static java.util.stream.Collectors.joining;

/**
 * Holds the rows of a result in their order, such that those of MySQL and Trino compare.
 *
 * @param rows cells are {@link Long}, {@link BigDecimal}, {@link Double} or exact text
 */
record Answer(List<String> labels, List<List<Object>> rows)
{
    Answer
    {
        labels = List.copyOf(labels);
        rows = rows.stream().map(List::copyOf).toList();
    }

    static Answer read(ResultSet results)
            throws SQLException
    {
        List<String> labels = new ArrayList<>();
        for (int column = 1; column <= results.getMetaData().getColumnCount(); column++) {
            labels.add(results.getMetaData().getColumnLabel(column));
        }
        List<List<Object>> rows = new ArrayList<>();
        while (results.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= labels.size(); column++) {
                row.add(cell(results.getObject(column)));
            }
            rows.add(row);
        }
        return new Answer(labels, rows);
    }

    static Object cell(Object value)
    {
        return switch (value) {
            case Integer number -> number.longValue();
            case Long number -> number;
            case BigDecimal number -> number;
            case Double number -> number;
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case null, default -> String.valueOf(value);
        };
    }

    /** Whether both hold the same rows, and the columns that they are sorted by the same values at each position: SQL leaves open in which order ties come. */
    boolean equals(Answer other, List<String> sortedBy)
    {
        return labels.size() == other.labels.size()
                && rows.size() == other.rows.size()
                && equalRows(withoutTies(), other.withoutTies())
                && sortedBy.stream().mapToInt(labels::indexOf).allMatch(column -> equalCells(cells(column), other.cells(column)));
    }

    private List<Object> cells(int column)
    {
        return rows.stream().map(row -> row.get(column)).toList();
    }

    // Where numbers differ in their last digits the other cells still bring equal rows to the same place.
    private List<List<Object>> withoutTies()
    {
        return rows.stream().sorted(Comparator.comparing(Answer::exactCells).thenComparing(Answer::inexactCells)).toList();
    }

    private static String exactCells(List<Object> row)
    {
        return row.stream().map(cell -> isInexact(cell) ? "" : cell.toString()).collect(joining("\t"));
    }

    private static String inexactCells(List<Object> row)
    {
        return row.stream().filter(Answer::isInexact).map(cell -> "%030.3f".formatted(((Number) cell).doubleValue())).collect(joining("\t"));
    }

    private static boolean isInexact(Object cell)
    {
        return cell instanceof Double || (cell instanceof BigDecimal number && number.scale() > 0);
    }

    private static boolean equalRows(List<List<Object>> left, List<List<Object>> right)
    {
        for (int row = 0; row < left.size(); row++) {
            if (!equalCells(left.get(row), right.get(row))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalCells(List<Object> left, List<Object> right)
    {
        for (int cell = 0; cell < left.size(); cell++) {
            if (!CellComparison.equal(left.get(cell), right.get(cell))) {
                return false;
            }
        }
        return true;
    }
}
