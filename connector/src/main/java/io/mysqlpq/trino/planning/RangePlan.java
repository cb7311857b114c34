package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.planning.sql.SqlPlan;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.server.FallbackCause;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Says how one scan is cut into splits: one whole, or ordered, gap-free, half-open ranges of an index. */
public sealed interface RangePlan
{
    /** Reads the scan as one split. */
    record OneSplit(OneSplitReason reason, Optional<FallbackCause> fallbackCause)
            implements RangePlan
    {
        public OneSplit
        {
            requireNonNull(reason, "reason is null");
            requireNonNull(fallbackCause, "fallbackCause is null");
        }

        public static OneSplit because(OneSplitReason reason)
        {
            return new OneSplit(reason, Optional.empty());
        }

        static OneSplit fallback(OneSplitReason reason, FallbackCause cause)
        {
            return new OneSplit(reason, Optional.of(cause));
        }
    }

    /**
     * Reads the scan by ranges of one index, one split each.
     *
     * @param definition the version of table and index that the ranges belong to
     * @param pagesRead index pages that planning read
     * @param hypergraphOptimizer whether MySQL's hypergraph optimizer is to read them
     */
    record Ranges(IndexKey key, String definition, List<PlannedRange> ranges, int pagesRead, boolean hypergraphOptimizer)
            implements RangePlan
    {
        Ranges(IndexKey key, String definition, List<PlannedRange> ranges, int pagesRead)
        {
            this(key, definition, ranges, pagesRead, false);
        }

        public Ranges
        {
            requireNonNull(key, "key is null");
            requireNonNull(definition, "definition is null");
            ranges = ImmutableList.copyOf(ranges);
            checkArgument(!ranges.isEmpty(), "ranges is empty");
        }

        /** Whether it is known to have fewer rows. */
        boolean isSmallerThan(long rows)
        {
            return ranges.stream().allMatch(range -> range.estimatedRows().isPresent())
                    && ranges.stream().mapToLong(range -> range.estimatedRows().getAsLong()).sum() < rows;
        }

        /** Returns the plan with other ranges of the same index. */
        Ranges of(List<PlannedRange> others)
        {
            return new Ranges(key, definition, others, pagesRead, hypergraphOptimizer);
        }

        Ranges readByHypergraphOptimizer()
        {
            return new Ranges(key, definition, ranges, pagesRead, true);
        }

        /** Returns the plan with ranges that end only between values of the key's leading columns. Some ranges may become one. */
        public Ranges cutBy(int columns)
        {
            return new Ranges(key, definition, LeadingColumnRanges.of(ranges, columns), pagesRead, hypergraphOptimizer);
        }

        /** Returns the plan with each range that reads several whole partitions divided into one range for each partition. */
        Ranges ofOnePartitionEach()
        {
            return new Ranges(key, definition, ranges.stream().flatMap(PlannedRange::ofOnePartitionEach).collect(toImmutableList()), pagesRead, hypergraphOptimizer);
        }

        /** @param count ranges to make of those in the reply, if it has more */
        public static Ranges of(RangesReply reply, int count)
        {
            return new Ranges(reply.key(), reply.definition(), ExpressibleRanges.of(reply, count), reply.pagesRead());
        }

        static Ranges of(SqlPlan plan)
        {
            List<PlannedRange> ranges = plan.ranges().stream()
                    .map(range -> new PlannedRange(range.range(), OptionalLong.of(range.estimatedRows())))
                    .collect(toImmutableList());
            // MySQL does not tell which pages its optimizer read.
            return new Ranges(plan.key(), plan.definition(), ranges, 0);
        }
    }
}
