package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.util.concurrent.ThreadLocalRandom;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.Maps.transformValues;
import static java.lang.Math.ceil;
import static java.lang.Math.min;

/**
 * Reads each range of a table with the same probability, and independently of the others.
 *
 * <p>Each row is read with that probability, however uneven the ranges are; rows of one range are read together, so
 * the more ranges there are, the less a sample's size varies.
 */
public record RangeSample(double ratio)
{
    // Smaller ranges would cost more to ask for than to read.
    private static final long ROWS_PER_RANGE = 500;
    private static final int MOST_RANGES = 4096;

    public RangeSample
    {
        checkArgument(ratio >= 0 && ratio <= 1, "ratio is not between 0 and 1: %s", ratio);
    }

    /** Cuts the table finer than a full scan, so that about as many ranges are read as a full scan would have at most. */
    public PlanningOptions cut(PlanningOptions options)
    {
        int ranges = (int) min(MOST_RANGES, ceil(options.maxRanges() / ratio));
        return options.withRanges(min(options.targetRowsPerSplit(), ROWS_PER_RANGE), ranges).withMinRows(0);
    }

    /** Decides on one range. */
    public boolean takes()
    {
        return ThreadLocalRandom.current().nextDouble() < ratio;
    }

    /** Estimates the rows that are read. */
    public TableStatistics of(TableStatistics all)
    {
        if (all.getRowCount().isUnknown()) {
            return all;
        }
        double rows = all.getRowCount().getValue() * ratio;
        return new TableStatistics(Estimate.of(rows), ImmutableMap.copyOf(transformValues(all.getColumnStatistics(), column -> of(column, rows))));
    }

    // Each of them may be a value of its own, as far as there are so many rows.
    private static ColumnStatistics of(ColumnStatistics column, double rows)
    {
        Estimate values = column.getDistinctValuesCount();
        return values.isUnknown() || values.getValue() <= rows
                ? column
                : new ColumnStatistics(column.getNullsFraction(), Estimate.of(rows), column.getDataSize(), column.getRange());
    }

    @Override
    public String toString()
    {
        return "sample %s".formatted(ratio);
    }
}
