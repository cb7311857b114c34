package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ListMultimap;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyRange;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.ceil;
import static java.lang.Math.clamp;

/** Divides cells at keys that MySQL finds in them, and has it estimate the parts. */
final class CellSearch
{
    /** What one division takes: where cells end, keys in them, and how many rows lie between. */
    static final int STATEMENTS_PER_DIVISION = 3;

    // One statement has no more probes, and stays short.
    private static final int MOST_PROBES = 256;
    private static final int FEWEST_PARTS = 4;
    private static final int MOST_PARTS = 32;

    private final KeyStatements statements;
    private final CellProbes probes;
    private final RowEstimates estimates;

    CellSearch(KeyStatements statements, List<KeyColumn> columns, RowEstimates estimates)
    {
        this.statements = statements;
        this.probes = new CellProbes(columns);
        this.estimates = estimates;
    }

    /** Divides the largest cells of more than some rows; the same cells come back if there are none. */
    List<Cell> divide(List<Cell> cells, double mostRows)
            throws SQLException
    {
        Set<Integer> large = large(cells, mostRows);
        if (large.isEmpty()) {
            return cells;
        }
        List<Probe> ends = large.stream().flatMap(i -> probes.end(i, cells.get(i)).stream()).toList();
        ListMultimap<Integer, KeyBound> endKeys = keys(ends);
        ListMultimap<Integer, KeyBound> keys = keys(large.stream()
                .flatMap(i -> probes.inside(i, cells.get(i), endKeys, parts(cells.get(i), mostRows)).stream())
                .toList());
        List<Cell> divided = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            divided.addAll(large.contains(i) ? parts(cells.get(i), keys.get(i)) : List.of(cells.get(i)));
        }
        return estimated(divided);
    }

    private ListMultimap<Integer, KeyBound> keys(List<Probe> wanted)
            throws SQLException
    {
        return wanted.isEmpty() ? ImmutableListMultimap.of() : statements.keys(wanted);
    }

    private static Set<Integer> large(List<Cell> cells, double mostRows)
    {
        Set<Integer> large = new TreeSet<>();
        int probes = 0;
        for (int i : bySize(cells)) {
            Cell cell = cells.get(i);
            probes += parts(cell, mostRows);
            if (cell.rows() > mostRows && !cell.whole() && (large.isEmpty() || probes <= MOST_PROBES)) {
                large.add(i);
            }
        }
        return large;
    }

    private static List<Integer> bySize(List<Cell> cells)
    {
        return IntStream.range(0, cells.size()).boxed()
                .sorted(Comparator.comparingDouble(i -> -cells.get(i).rows()))
                .collect(toImmutableList());
    }

    private static int parts(Cell cell, double mostRows)
    {
        return (int) clamp(ceil(cell.rows() / mostRows) + 1, FEWEST_PARTS, MOST_PARTS);
    }

    private static List<Cell> parts(Cell cell, List<KeyBound> keys)
    {
        List<KeyBound> inner = keys.stream()
                .filter(key -> !key.equals(cell.first()) && CellProbes.haveLiterals(key.values()))
                .distinct()
                .toList();
        if (inner.isEmpty()) {
            return ImmutableList.of(cell.asWhole());
        }
        ImmutableList.Builder<Cell> parts = ImmutableList.builder();
        Optional<KeyBound> lower = cell.range().lower();
        KeyBound first = cell.first();
        for (KeyBound key : inner) {
            parts.add(unknown(new KeyRange(lower, Optional.of(key)), first, key));
            lower = Optional.of(key);
            first = key;
        }
        return parts.add(unknown(new KeyRange(lower, cell.range().upper()), first, cell.end())).build();
    }

    private static Cell unknown(KeyRange range, KeyBound first, KeyBound end)
    {
        return new Cell(range, first, end, Double.NaN, false);
    }

    private List<Cell> estimated(List<Cell> cells)
            throws SQLException
    {
        List<KeyRange> unknown = cells.stream().filter(cell -> Double.isNaN(cell.rows())).map(Cell::range).toList();
        long[] rows = unknown.isEmpty() ? new long[0] : statements.estimates(unknown);
        int next = 0;
        ImmutableList.Builder<Cell> estimated = ImmutableList.builder();
        for (Cell cell : cells) {
            estimated.add(Double.isNaN(cell.rows()) ? cell.withRows(estimates.corrected(rows[next++])) : cell);
        }
        return estimated.build();
    }
}
