package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.planning.RangePlan.OneSplit;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.PartitionReader;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.math.LongMath.divide;
import static io.mysqlpq.trino.key.BoundOrder.isOrderKnown;
import static io.mysqlpq.trino.planning.OneSplitReason.KEY_WITHOUT_RANGES;
import static io.mysqlpq.trino.planning.OneSplitReason.NO_PRIMARY_KEY;
import static io.mysqlpq.trino.planning.OneSplitReason.SMALL_TABLE;
import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.math.RoundingMode.CEILING;
import static java.util.Objects.requireNonNull;

/** Plans ranges of one index from the extension's subtrees. */
final class ExtensionRangePlanner
{
    // A range that is made of this many parts differs from other ranges by few rows.
    private static final int PARTS_OF_RANGE = 8;
    private static final int MOST_PARTS = 256;
    // In the time of one row the extension reads this many bytes off-page.
    private static final long BYTES_OF_ROW = 128;
    // SQL sends fewer rows in less time than the extension needs to begin.
    static final long FEWEST_ROWS_OF_NATIVE_SCAN = 5_000;

    private final ExtensionRanges extension;
    private final PartitionReader partitions;
    private final StableRanges stableRanges;

    @Inject
    ExtensionRangePlanner(ExtensionRanges extension, PartitionReader partitions, StableRanges stableRanges)
    {
        this.extension = requireNonNull(extension, "extension is null");
        this.partitions = requireNonNull(partitions, "partitions is null");
        this.stableRanges = requireNonNull(stableRanges, "stableRanges is null");
    }

    /** @param natively whether the extension will read the rows, so that also one range is worth more than one split */
    RangePlan plan(ConnectorSession session, Connection connection, ScannedIndex scanned, PlanningOptions options, boolean natively)
            throws SQLException, ExtensionUnavailableException
    {
        RangesReply reply = extension.ask(session, connection, request(scanned, options.maxRanges(), options));
        int wanted = rangeCount(reply, options);
        int found = reply.boundaries().size() + 1;
        int parts = wanted * partsOfRange(reply, wanted);
        int enough = parts > wanted ? parts : wanted * PARTS_OF_RANGE;
        if (wanted > 1 && found < enough && (parts > wanted || wanted < found)) {
            RangesRequest finer = request(scanned, parts, options);
            // If nothing was weighed, weighing again would be in vain. A user who may not read the whole table is not told.
            boolean isKnownInVain = reply.rows().isPresent() && reply.bytes().isEmpty();
            reply = extension.ask(session, connection, isKnownInVain ? finer.withOffPage(ImmutableList.of()) : finer);
        }
        if (wanted == 1 || reply.boundaries().isEmpty()) {
            return natively && rows(reply).orElse(0) >= FEWEST_ROWS_OF_NATIVE_SCAN ? RangePlan.Ranges.of(reply, 1) : OneSplit.because(SMALL_TABLE);
        }
        RangePlan.Ranges ranges = RangePlan.Ranges.of(reply, wanted);
        if (ranges.ranges().size() == 1) {
            return OneSplit.because(KEY_WITHOUT_RANGES);
        }
        return options.readsKept() ? stableRanges.of(scanned, ranges, options) : ranges;
    }

    /** @param left the partitions that the scan's filter leaves, if that is known */
    RangePlan planPartitions(ConnectorSession session, Connection connection, ScannedIndex scanned, PlanningOptions options, Optional<PartitionNames> left)
            throws SQLException, ExtensionUnavailableException
    {
        List<PartitionReader.Partition> all = partitions.read(session, connection, scanned.schema(), scanned.table());
        List<String> names = left.map(explained -> explained.select(all))
                .orElseGet(() -> all.stream().map(PartitionReader.Partition::name).collect(toImmutableList()));
        if (names.isEmpty()) {
            // The table was partitioned when the extension was asked.
            return OneSplit.because(SMALL_TABLE);
        }
        RangePlan.Ranges ranges = new PartitionedRanges(request -> extension.ask(session, connection, request), request(scanned, 1, options), options).plan(names);
        if (ranges.ranges().size() == 1 || ranges.isSmallerThan(options.minRows())) {
            return OneSplit.because(SMALL_TABLE);
        }
        return scanned.rows().isPresent() ? ofOnePartitionEach(ranges, options) : ranges;
    }

    // One native scan reads one tree.
    private static RangePlan ofOnePartitionEach(RangePlan.Ranges ranges, PlanningOptions options)
    {
        RangePlan.Ranges each = ranges.ofOnePartitionEach();
        return each.ranges().size() > options.maxRanges() ? OneSplit.because(NO_PRIMARY_KEY) : each;
    }

    private static RangesRequest request(ScannedIndex scanned, int count, PlanningOptions options)
    {
        return new RangesRequest(scanned.schema(), scanned.table(), scanned.index().name(), count, scanned.part())
                .withLeafKeys(options.leafKeys())
                .withOffPage(scanned.offPage())
                .withRows(scanned.rows());
    }

    // Cuts composite keys finer, to learn where the leading column alone would do: see ExpressibleRanges. They are not cut so fine that the extension
    // has to read many more pages.
    private static int partsOfRange(RangesReply reply, int ranges)
    {
        boolean finer = reply.key().columnsReadByRange() > 1 && isOrderKnown(reply.key().columns().getFirst());
        return finer ? clamp(MOST_PARTS / ranges, 1, PARTS_OF_RANGE) : 1;
    }

    // Without estimates the ranges that there are have to do.
    private static int rangeCount(RangesReply reply, PlanningOptions options)
    {
        OptionalLong rows = rows(reply);
        if (rows.isEmpty()) {
            return reply.boundaries().size() + 1;
        }
        if (rows.getAsLong() < options.minRows()) {
            return 1;
        }
        long work = max(rows.getAsLong(), reply.offPageBytes().map(bytes -> sum(bytes) / BYTES_OF_ROW).orElse(0L));
        return (int) min(max(divide(work, options.targetRowsPerSplit(), CEILING), 1), options.maxRanges());
    }

    private static OptionalLong rows(RangesReply reply)
    {
        return reply.rows().map(rows -> OptionalLong.of(sum(rows))).orElseGet(OptionalLong::empty);
    }

    private static long sum(List<Long> sizes)
    {
        return sizes.stream().mapToLong(Long::longValue).sum();
    }
}
