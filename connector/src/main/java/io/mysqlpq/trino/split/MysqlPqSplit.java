package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.connection.ConnectionShare;
import io.mysqlpq.trino.expression.RowExpressions;
import io.mysqlpq.trino.nativescan.NativeFilter;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.HostAddress;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/**
 * Describes one unit of reading: a table or a pushed query as a whole, one range of a table or its groups, or an aggregation of ranges.
 *
 * @param scanId names the scan that the split belongs to
 * @param name by which MySQL's administrators know it among the scan's splits, such as 3/8
 * @param tables what the read locks: a range's one table, or all that a pushed query reads
 * @param range what to read, all if empty
 * @param nativeFilter keeps the rows of the range that pass what was pushed down as expressions, in a native scan; empty if only SQL does
 * @param expressions what is computed of rows as they are read
 * @param groups what to compute of the range, if its rows are not what is read
 * @param aggregation what to merge, if the split is a pushed aggregation of a table with ranges
 * @param snapshot what the read sees, together with all others of the query; its own moment if empty
 * @param connections how many of them the worker, and the query on it, may read through
 * @param dynamicFilter what was known of the dynamic filters when the split was made
 * @param rowIdColumns columns that are read for the ids of rows, where Trino wants these; see OldValues
 * @param places addresses of the worker that may have kept what the split reads; see ReadPlaces
 */
public record MysqlPqSplit(
        String scanId,
        String name,
        List<SplitTable> tables,
        Optional<SplitRange> range,
        Optional<NativeFilter> nativeFilter,
        RowExpressions expressions,
        Optional<WholeGroupAggregation> groups,
        Optional<RangedAggregation> aggregation,
        Optional<SnapshotToken> snapshot,
        ConnectionShare connections,
        TupleDomain<JdbcColumnHandle> dynamicFilter,
        List<JdbcColumnHandle> rowIdColumns,
        SplitWeight weight,
        List<HostAddress> places)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(MysqlPqSplit.class);
    // A bound's values are short; their exact size is not worth a walk for each split.
    private static final int RANGE_SIZE = 1024;
    private static final int GROUPS_SIZE = 4096;

    public MysqlPqSplit
    {
        requireNonNull(scanId, "scanId is null");
        requireNonNull(name, "name is null");
        tables = ImmutableList.copyOf(tables);
        requireNonNull(range, "range is null");
        requireNonNull(nativeFilter, "nativeFilter is null");
        requireNonNull(expressions, "expressions is null");
        requireNonNull(groups, "groups is null");
        requireNonNull(aggregation, "aggregation is null");
        requireNonNull(snapshot, "snapshot is null");
        requireNonNull(connections, "connections is null");
        requireNonNull(dynamicFilter, "dynamicFilter is null");
        rowIdColumns = ImmutableList.copyOf(rowIdColumns);
        requireNonNull(weight, "weight is null");
        places = ImmutableList.copyOf(places);
        checkArgument(!tables.isEmpty(), "tables is empty");
        checkArgument((range.isEmpty() && aggregation.isEmpty()) || tables.size() == 1, "a range of %s", tables);
        checkArgument(range.isEmpty() || aggregation.isEmpty(), "a range of an aggregation");
        checkArgument(nativeFilter.isEmpty() || range.isPresent(), "a filter of no range");
        checkArgument(groups.isEmpty() || range.isPresent(), "groups of no range");
    }

    /** The names of so many splits of a scan. */
    static String name(int number, int of)
    {
        return "%d/%d".formatted(number, of);
    }

    /** Returns a split for each range of its aggregation, of which groups are computed. Without ranges it is one of the whole table. */
    public List<MysqlPqSplit> ofRanges()
    {
        List<SplitRange> ranges = aggregation.map(RangedAggregation::ranges).orElseGet(ImmutableList::of);
        if (ranges.isEmpty()) {
            return ImmutableList.of(new MysqlPqSplit(scanId, name, tables, Optional.empty(), Optional.empty(), expressions, Optional.empty(), Optional.empty(), snapshot, connections, dynamicFilter, rowIdColumns, weight, places));
        }
        return IntStream.range(0, ranges.size())
                .mapToObj(i -> new MysqlPqSplit(scanId, name(i + 1, ranges.size()), tables, Optional.of(ranges.get(i)), aggregation.get().nativeFilter(), expressions, Optional.empty(), Optional.empty(), snapshot, connections, dynamicFilter, rowIdColumns, weight, places))
                .collect(toImmutableList());
    }

    /** Returns in how many sessions the split is read. */
    int sessions()
    {
        return aggregation.map(ranged -> max(1, ranged.ranges().size())).orElse(1);
    }

    /** Returns a split that reads the same in another server's snapshot. */
    MysqlPqSplit in(SnapshotToken other)
    {
        return new MysqlPqSplit(scanId, name, tables, range, nativeFilter, expressions, groups, aggregation, Optional.of(other), connections, dynamicFilter, rowIdColumns, weight, places);
    }

    MysqlPqSplit at(List<HostAddress> places)
    {
        return new MysqlPqSplit(scanId, name, tables, range, nativeFilter, expressions, groups, aggregation, snapshot, connections, dynamicFilter, rowIdColumns, weight, places);
    }

    MysqlPqSplit named(String name)
    {
        return new MysqlPqSplit(scanId, name, tables, range, nativeFilter, expressions, groups, aggregation, snapshot, connections, dynamicFilter, rowIdColumns, weight, places);
    }

    MysqlPqSplit with(ConnectionShare connections, TupleDomain<JdbcColumnHandle> dynamicFilter)
    {
        return new MysqlPqSplit(scanId, name, tables, range, nativeFilter, expressions, groups, aggregation, snapshot, connections, dynamicFilter, rowIdColumns, weight, places);
    }

    @JsonIgnore
    @Override
    public List<HostAddress> getAddresses()
    {
        return places;
    }

    @JsonIgnore
    @Override
    public SplitWeight getSplitWeight()
    {
        return weight;
    }

    @JsonIgnore
    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE
                + estimatedSizeOf(scanId)
                + estimatedSizeOf(name)
                + tables.stream().mapToLong(SplitTable::retainedBytes).sum()
                + range.map(_ -> RANGE_SIZE).orElse(0)
                + nativeFilter.map(NativeFilter::retainedBytes).orElse(0L)
                + expressions.retainedBytes()
                + groups.map(_ -> GROUPS_SIZE).orElse(0)
                + aggregation.map(ranged -> ranged.ranges().size() * RANGE_SIZE).orElse(0)
                + snapshot.map(token -> estimatedSizeOf(token.value())).orElse(0L)
                + dynamicFilter.getRetainedSizeInBytes(JdbcColumnHandle::getRetainedSizeInBytes)
                + rowIdColumns.stream().mapToLong(JdbcColumnHandle::getRetainedSizeInBytes).sum()
                + weight.getRetainedSizeInBytes()
                + estimatedSizeOf(places, HostAddress::getRetainedSizeInBytes);
    }
}
