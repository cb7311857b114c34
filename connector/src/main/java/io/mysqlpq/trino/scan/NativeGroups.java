package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.MergeableFunction;
import io.mysqlpq.trino.aggregation.MergedColumn;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.DriverPackets;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.ScanAggregation;
import io.mysqlpq.trino.protocol.ScanRequest;
import io.mysqlpq.trino.rows.NativeBatches;
import io.mysqlpq.trino.rows.NativePage;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.types.NativeColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Type;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Lets the extension compute the groups of a range, in the form that MySQL would give by SQL. What it does not compute is left to SQL: in
 * the query's snapshot that is the same.
 *
 * @param request of the rows that are grouped
 * @param columns what the extension gives of each group
 */
record NativeGroups(ScanContext context, ScanRequest request, List<NativeColumn> columns)
{
    // An estimate may be too low by this much before MySQL has to compute the groups. The extension reserves memory for so many.
    private static final int MOST_GROUPS = 20_000;

    NativeGroups
    {
        requireNonNull(context, "context is null");
        requireNonNull(request, "request is null");
        columns = ImmutableList.copyOf(columns);
    }

    /** Empty if the extension does not compute them, as far as types tell. */
    static Optional<NativeGroups> of(ScanContext context, MysqlPqSplit split, PartialAggregation aggregation)
    {
        if (!aggregation.natively()) {
            return Optional.empty();
        }
        Scanned scanned = new Scanned();
        aggregation.groupBy().forEach(scanned::place);
        ImmutableList.Builder<ScanAggregation.Function> functions = ImmutableList.builder();
        ImmutableList.Builder<NativeColumn> results = ImmutableList.builder();
        for (MergedColumn aggregate : aggregation.aggregates()) {
            OptionalInt argument = aggregate.argument().map(column -> OptionalInt.of(scanned.place(column))).orElseGet(OptionalInt::empty);
            for (String function : names(aggregate.function())) {
                functions.add(new ScanAggregation.Function(function, argument));
                results.add(result(function, aggregate.argument()));
            }
        }
        List<Integer> groups = aggregation.groupBy().stream().map(scanned::place).toList();
        ScanAggregation asked = new ScanAggregation(groups, functions.build(), MOST_GROUPS);
        return NativeScan.request(context, split, aggregation.table(), scanned.columns)
                .filter(_ -> asked.isWithinLimits())
                .map(request -> new NativeGroups(
                        context,
                        request.within(NativeScan.range(request, split.range().orElseThrow().key(), aggregation.table().getConstraint())).aggregated(asked),
                        ImmutableList.<NativeColumn>builder().addAll(NativeScan.natives(aggregation.groupBy())).addAll(results.build()).build()));
    }

    // What the extension computes for a function, in the order of the function's partial columns.
    private static List<String> names(MergeableFunction function)
    {
        return switch (function) {
            case COUNT -> ImmutableList.of("count");
            case MIN -> ImmutableList.of("min");
            case MAX -> ImmutableList.of("max");
            case SUM -> ImmutableList.of("sum");
            case AVERAGE -> ImmutableList.of("sum", "count");
        };
    }

    private static NativeColumn result(String function, Optional<JdbcColumnHandle> argument)
    {
        return switch (function) {
            case "count" -> new NativeColumn(NativeLayout.INT64, BatchBlocks::longs);
            // A sum is a decimal's text, as by SQL: it may have more digits than Trino's decimals.
            case "sum" -> new NativeColumn(NativeLayout.INT128, (batch, column) -> BatchBlocks.decimalTexts(batch, column, scale(argument.orElseThrow().getColumnType())));
            default -> NativeColumn.of(argument.orElseThrow().getJdbcTypeHandle(), argument.get().getColumnType()).orElseThrow();
        };
    }

    private static int scale(Type type)
    {
        return type instanceof DecimalType decimal ? decimal.getScale() : 0;
    }

    /**
     * Computes the groups. Empty if the extension refuses, or leaves a row to SQL.
     *
     * @param refusals told why the extension refuses
     */
    Optional<RowPages> open(Connection connection, Consumer<String> refusals)
            throws SQLException
    {
        if (!DriverPackets.areReadable(connection)) {
            return Optional.empty();
        }
        try {
            return groups(connection, request);
        }
        catch (SQLException e) {
            String code = ExtensionError.scanRefusal(e).orElseThrow(() -> e);
            refusals.accept(code);
            return Optional.empty();
        }
    }

    private Optional<RowPages> groups(Connection connection, ScanRequest asked)
            throws SQLException
    {
        Optional<NativeBatches> batches = NativeBatches.of(NativeScan.prepare(context, connection, asked, 1), columns);
        if (batches.isEmpty()) {
            return Optional.empty();
        }
        NativePage only = batches.get().next().orElseThrow(NativeBatches::withoutCursor);
        batches.get().drain();
        return only.end() == NativePage.End.RANGE_ENDED ? only.page().map(GroupsOfRange::new) : Optional.empty();
    }

    /** Places columns among those that are scanned, each once. */
    private static final class Scanned
    {
        private final List<JdbcColumnHandle> columns = new ArrayList<>();

        int place(JdbcColumnHandle column)
        {
            if (!columns.contains(column)) {
                columns.add(column);
            }
            return columns.indexOf(column);
        }
    }

    /** Has all groups in one page, which the extension has sent whole. */
    private static final class GroupsOfRange
            implements RowPages
    {
        private final Page groups;
        private boolean finished;

        GroupsOfRange(Page groups)
        {
            this.groups = requireNonNull(groups, "groups is null");
        }

        @Override
        public Page next()
        {
            finished = true;
            return groups;
        }

        @Override
        public boolean isFinished()
        {
            return finished;
        }

        @Override
        public boolean isNative()
        {
            return true;
        }

        @Override
        public boolean isByDriver()
        {
            return false;
        }

        @Override
        public long blocksByDriver()
        {
            return 0;
        }

        @Override
        public void close()
        {}

        @Override
        public long retainedBytes()
        {
            return groups.getRetainedSizeInBytes();
        }
    }
}
