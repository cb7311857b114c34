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

/** Joins neighbouring parts to ranges of about the same size. */
final class PartJoiner
{
    private PartJoiner()
    {}

    /** Leaves the first range open below and the last range open above, whatever the parts span. */
    static List<EstimatedRange> of(List<WeighedPart> parts, int count)
    {
        double share = parts.stream().mapToDouble(WeighedPart::rows).sum() / count;
        ImmutableList.Builder<EstimatedRange> ranges = ImmutableList.builder();
        Optional<KeyBound> lower = Optional.empty();
        double before = 0;
        double rows = 0;
        int cut = 1;
        for (int i = 0; i < parts.size() - 1; i++) {
            rows += parts.get(i).rows();
            // A range ends behind this part if the share ends nearer to this part's end than to the next part's.
            double here = before + rows;
            double next = here + parts.get(i + 1).rows();
            if (cut < count && abs(here - cut * share) <= abs(next - cut * share)) {
                Optional<KeyBound> upper = parts.get(i).range().upper();
                ranges.add(new EstimatedRange(new KeyRange(lower, upper), round(rows)));
                lower = upper;
                before = here;
                rows = 0;
                // A large part may have taken several shares.
                cut = (int) max(cut, floor(here / share + 0.5)) + 1;
            }
        }
        rows += parts.isEmpty() ? 0 : parts.getLast().rows();
        return ranges.add(new EstimatedRange(new KeyRange(lower, Optional.empty()), round(rows))).build();
    }
}
