package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;

import java.util.List;
import java.util.Optional;

import static java.lang.Math.abs;
import static java.lang.Math.floor;
import static java.lang.Math.max;
import static java.lang.Math.round;

/** Joins neighbouring cells to ranges of about the same size. */
final class CellJoiner
{
    private CellJoiner()
    {}

    /** The first range is open below and the last above, whatever the cells span. */
    static List<SizedRange> of(List<Cell> cells, int count)
    {
        double share = cells.stream().mapToDouble(Cell::rows).sum() / count;
        ImmutableList.Builder<SizedRange> ranges = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        double before = 0;
        double rows = 0;
        int cut = 1;
        for (int i = 0; i < cells.size() - 1; i++) {
            rows += cells.get(i).rows();
            // Behind this cell, if the next share ends nearer to its end than to that of the next cell.
            double here = before + rows;
            double next = here + cells.get(i + 1).rows();
            if (cut < count && abs(here - cut * share) <= abs(next - cut * share)) {
                Optional<KeyBound> upper = cells.get(i).range().upper();
                ranges.add(new SizedRange(new KeyRange(lower, upper), round(rows)));
                lower = upper;
                before = here;
                rows = 0;
                // A large cell may have taken several shares.
                cut = (int) max(cut, floor(here / share + 0.5)) + 1;
            }
        }
        rows += cells.isEmpty() ? 0 : cells.getLast().rows();
        return ranges.add(new SizedRange(new KeyRange(lower, Optional.empty()), round(rows))).build();
    }
}
