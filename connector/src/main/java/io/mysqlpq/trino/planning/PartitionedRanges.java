package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.planning.PartitionShares.Share;
import io.mysqlpq.trino.protocol.RangesReply;
import io.mysqlpq.trino.protocol.RangesRequest;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.trino.spi.TrinoException;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/** Plans the ranges of a partitioned table, each (sub)partition by its own tree. */
final class PartitionedRanges
{
    /** Asks the extension. */
    interface Extension
    {
        RangesReply ask(RangesRequest request)
                throws SQLException, ExtensionUnavailableException;
    }

    private final Extension extension;
    private final RangesRequest request;
    private final PlanningOptions options;
    private int pagesRead;

    /** @param request what to ask of each partition */
    PartitionedRanges(Extension extension, RangesRequest request, PlanningOptions options)
    {
        this.extension = requireNonNull(extension, "extension is null");
        this.request = requireNonNull(request, "request is null");
        this.options = requireNonNull(options, "options is null");
    }

    RangePlan.Ranges plan(List<String> partitions)
            throws SQLException, ExtensionUnavailableException
    {
        ImmutableList.Builder<RangesReply> wholes = ImmutableList.builder();
        for (String partition : partitions) {
            wholes.add(ask(partition, 1));
        }
        List<RangesReply> whole = wholes.build();
        ImmutableList.Builder<PlannedRange> ranges = ImmutableList.builder();
        for (Share share : shares(whole)) {
            ranges.addAll(share.ranges() == 1
                    ? ImmutableList.of(join(partitions, whole, share))
                    : cut(partitions.get(share.first()), share.ranges(), whole.getFirst()));
        }
        whole.forEach(reply -> checkDefinition(whole.getFirst(), reply));
        return new RangePlan.Ranges(whole.getFirst().key(), whole.getFirst().definition(), ranges.build(), pagesRead);
    }

    private RangesReply ask(String partition, int count)
            throws SQLException, ExtensionUnavailableException
    {
        RangesReply reply = extension.ask(request.ofPartition(partition, count));
        pagesRead += reply.pagesRead();
        return reply;
    }

    // Without estimates all partitions count as equal, and there are as many ranges as there may be.
    private List<Share> shares(List<RangesReply> whole)
    {
        boolean estimated = whole.stream().allMatch(reply -> reply.rows().isPresent());
        List<Long> rows = whole.stream().map(reply -> estimated ? rows(reply) : 1L).collect(toImmutableList());
        double rowsPerSplit = estimated ? options.targetRowsPerSplit() : (double) whole.size() / options.maxRanges();
        return PartitionShares.of(rows, rowsPerSplit, options.maxRanges());
    }

    private List<PlannedRange> cut(String partition, int count, RangesReply first)
            throws SQLException, ExtensionUnavailableException
    {
        RangesReply reply = ask(partition, count);
        checkDefinition(first, reply);
        return ExpressibleRanges.of(reply).stream().map(range -> range.ofPartition(partition)).collect(toImmutableList());
    }

    private static PlannedRange join(List<String> partitions, List<RangesReply> whole, Share share)
    {
        List<RangesReply> replies = whole.subList(share.first(), share.end());
        boolean estimated = replies.stream().allMatch(reply -> reply.rows().isPresent());
        long rows = replies.stream().mapToLong(PartitionedRanges::rows).sum();
        return new PlannedRange(partitions.subList(share.first(), share.end()), KeyRange.all(), estimated ? OptionalLong.of(rows) : OptionalLong.empty());
    }

    private static long rows(RangesReply reply)
    {
        return reply.rows().map(rows -> max(0, rows.stream().mapToLong(Long::longValue).sum())).orElse(0L);
    }

    // It covers all partitions, also where one is named.
    private void checkDefinition(RangesReply first, RangesReply reply)
    {
        if (!reply.definition().equals(first.definition())) {
            throw new TrinoException(MYSQL_PQ_TABLE_CHANGED, "Table %s.%s was altered while its ranges were planned. Run the query again".formatted(request.schema(), request.table()));
        }
    }
}
