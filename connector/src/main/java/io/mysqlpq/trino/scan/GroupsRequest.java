package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.MergeableFunction;
import io.mysqlpq.trino.aggregation.NativeAggregation;
import io.mysqlpq.trino.aggregation.NativeAggregation.Aggregate;
import io.mysqlpq.trino.cells.BatchBlocks;
import io.mysqlpq.trino.cells.NativeLayout;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.expression.ExtensionForm;
import io.mysqlpq.trino.protocol.ScanAggregation;
import io.mysqlpq.trino.protocol.ScanRequest;
import io.mysqlpq.trino.protocol.ScanValidation;
import io.mysqlpq.trino.protocol.ScannedRows;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.types.NativeColumn;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Asks the extension for the groups of a range.
 *
 * @param columns what each batch of groups has
 * @param rows reads the rows of the same range
 */
record GroupsRequest(ScanRequest request, List<NativeColumn> columns, NativeScan rows)
{
    private static final int BATCHES_OF_STATEMENT = 16;
    private static final int BATCHES_OF_STATEMENT_IN_PIECES = 128;
    private static final int GROUPS_OF_BATCH = 8192;

    GroupsRequest
    {
        requireNonNull(request, "request is null");
        columns = ImmutableList.copyOf(columns);
        requireNonNull(rows, "rows is null");
    }

    /** How many batches a statement may have: without pieces mostly one, since groups are few. */
    static int batchesOfStatement(ScanRequest request)
    {
        return request.validation().filter(ScanValidation::isOfPieces).isPresent() ? BATCHES_OF_STATEMENT_IN_PIECES : BATCHES_OF_STATEMENT;
    }

    /** Empty if the extension does not read the rows, as far as types tell. */
    static Optional<GroupsRequest> of(ScanContext context, MysqlPqSplit split, NativeAggregation aggregation, Optional<NativeScan> rows)
    {
        Optional<ScanRequest> ofRows = NativeScan.request(context, split, aggregation.table(), aggregation.table().getColumns().orElseThrow());
        if (ofRows.isEmpty() || rows.isEmpty()) {
            return Optional.empty();
        }
        Places places = new Places(aggregation);
        ScanAggregation asked = places.aggregation();
        ScannedRows scanned = ofRows.get().rows().withColumns(places.columns()).where(split.expressions().where().stream().map(ExtensionForm::write).collect(toImmutableList()));
        if (!asked.isWithinLimits() || !scanned.isWithinLimits()) {
            return Optional.empty();
        }
        ScanRequest request = ofRows.get()
                .of(scanned)
                .within(NativeScan.range(ofRows.get(), split.range().orElseThrow().key(), aggregation.table().getConstraint()))
                .aggregated(asked);
        return Optional.of(new GroupsRequest(request, places.results(), rows.get()));
    }

    /** Gives columns that are read as they are, and other expressions, their places in the rows that are grouped. */
    private static final class Places
    {
        private final NativeAggregation aggregation;
        private final List<JdbcColumnHandle> asTheyAre = new ArrayList<>();
        private final List<Expression> expressions = new ArrayList<>();
        private final List<ScanAggregation.Expression> forms = new ArrayList<>();

        Places(NativeAggregation aggregation)
        {
            this.aggregation = aggregation;
            aggregation.expressions().stream().flatMap(expression -> asItIs(expression).stream()).distinct().forEach(asTheyAre::add);
        }

        // The table's column. That of a key or an argument may have another type: a text that is cast to a longer one is read as it is.
        private Optional<JdbcColumnHandle> asItIs(Expression expression)
        {
            return expression instanceof Expression.Column column && column.isAsItIs()
                    ? aggregation.table().getColumns().orElseThrow().stream().filter(read -> read.getColumnName().equals(column.name())).findFirst()
                    : Optional.empty();
        }

        private int place(JdbcColumnHandle column, Expression expression)
        {
            Optional<JdbcColumnHandle> asItIs = asItIs(expression);
            if (asItIs.isPresent()) {
                return asTheyAre.indexOf(asItIs.get());
            }
            if (!expressions.contains(expression)) {
                expressions.add(expression);
                forms.add(new ScanAggregation.Expression(ExtensionForm.write(expression), NativeColumn.ofExpression(column.getColumnType()).layout().protocolName()));
            }
            return asTheyAre.size() + expressions.indexOf(expression);
        }

        List<ScannedRows.Column> columns()
        {
            return asTheyAre.stream().map(column -> new ScannedRows.Column(column.getColumnName(), ofColumn(column).layout().protocolName())).collect(toImmutableList());
        }

        ScanAggregation aggregation()
        {
            List<Integer> groups = aggregation.keys().stream().map(key -> place(key.column(), key.expression())).collect(toImmutableList());
            ImmutableList.Builder<ScanAggregation.Function> functions = ImmutableList.builder();
            for (Aggregate aggregate : aggregation.aggregates()) {
                List<Integer> arguments = aggregate.arguments().stream().map(argument -> place(argument.column(), argument.expression())).collect(toImmutableList());
                names(aggregate.function()).forEach(name -> functions.add(new ScanAggregation.Function(name, arguments)));
            }
            return new ScanAggregation(forms, groups, functions.build(), GROUPS_OF_BATCH);
        }

        // In the order of what a range gives for the function.
        private static List<String> names(MergeableFunction function)
        {
            return switch (function) {
                case COUNT -> ImmutableList.of("count");
                case MIN, MIN_BY -> ImmutableList.of("min");
                case MAX, MAX_BY -> ImmutableList.of("max");
                case SUM -> ImmutableList.of("sum");
                case AVERAGE -> ImmutableList.of("sum", "count");
            };
        }

        List<NativeColumn> results()
        {
            ImmutableList.Builder<NativeColumn> results = ImmutableList.builder();
            aggregation.keys().forEach(key -> results.add(ofValue(key.expression(), key.column())));
            for (Aggregate aggregate : aggregation.aggregates()) {
                switch (aggregate.function()) {
                    case COUNT -> results.add(count());
                    case MIN, MAX, MIN_BY, MAX_BY -> aggregate.arguments().forEach(argument -> results.add(ofValue(argument.expression(), argument.column())));
                    case SUM -> results.addAll(sums(aggregate));
                    case AVERAGE -> results.addAll(sums(aggregate)).add(count());
                }
            }
            return results.build();
        }

        private NativeColumn ofValue(Expression expression, JdbcColumnHandle column)
        {
            return asItIs(expression).map(Places::ofColumn).orElseGet(() -> NativeColumn.ofExpression(column.getColumnType()));
        }

        private static NativeColumn ofColumn(JdbcColumnHandle column)
        {
            return NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType()).orElseThrow();
        }

        private static NativeColumn count()
        {
            return new NativeColumn(NativeLayout.INT64, BatchBlocks::longs);
        }

        private static List<NativeColumn> sums(Aggregate aggregate)
        {
            Type type = aggregate.arguments().getFirst().column().getColumnType();
            if (type instanceof DoubleType) {
                return ImmutableList.of(new NativeColumn(NativeLayout.INT64, BatchBlocks::longs));
            }
            NativeColumn sum = new NativeColumn(NativeLayout.INT128, BatchBlocks::longDecimals);
            return type.getJavaType() == Int128.class ? ImmutableList.of(sum, sum) : ImmutableList.of(sum);
        }
    }
}
