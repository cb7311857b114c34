package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.max;
import static java.lang.Math.rint;

/**
 * Shares splits out among partitions by their sizes: several to a large one, one to several small neighbours.
 *
 * <p>Joining keeps the number of splits below its limit however many partitions a table has.
 */
final class PartitionShares
{
    private PartitionShares()
    {}

    /**
     * Says how some partitions are read.
     *
     * @param first the first of them
     * @param end the first one behind them
     * @param ranges into how many ranges to cut it, if it is a single one
     */
    record Share(int first, int end, int ranges)
    {
        Share
        {
            checkArgument(first < end, "no partition");
            checkArgument(ranges == 1 || first + 1 == end, "several partitions in several ranges");
        }
    }

    /** @param rowsPerSplit rows that a split should have; more if there would be too many splits */
    static List<Share> of(List<Long> rows, double rowsPerSplit, int mostSplits)
    {
        double most = rowsPerSplit;
        List<Share> shares = shareOut(rows, most);
        while (splits(shares) > mostSplits) {
            most *= 1.25;
            shares = shareOut(rows, most);
        }
        return shares;
    }

    private static List<Share> shareOut(List<Long> rows, double most)
    {
        ImmutableList.Builder<Share> shares = ImmutableList.builder();
        int first = 0;
        while (first < rows.size()) {
            double joined = rows.get(first);
            int end = first + 1;
            while (end < rows.size() && joined + rows.get(end) <= most) {
                joined += rows.get(end);
                end++;
            }
            shares.add(new Share(first, end, end > first + 1 ? 1 : (int) max(1, rint(joined / most))));
            first = end;
        }
        return shares.build();
    }

    private static long splits(List<Share> shares)
    {
        return shares.stream().mapToLong(Share::ranges).sum();
    }
}
