package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.aggregation.ColocatedAggregation;
import io.mysqlpq.trino.aggregation.GroupsInOrder;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.aggregation.ResultView;
import io.mysqlpq.trino.dictionary.DictionaryKey;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.RangeHint;
import io.mysqlpq.trino.key.RangePredicate;
import io.mysqlpq.trino.nativescan.NativeTable;
import io.mysqlpq.trino.rows.GroupedPages;
import io.mysqlpq.trino.rows.MappedColumn;
import io.mysqlpq.trino.rows.ReceivedColumn;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.split.IndexedRelation;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.split.SplitRange;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.JdbcSplit;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.handle.TableHandles.withExpression;
import static io.mysqlpq.trino.handle.TableHandles.withRelation;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/** Prepares the SQL of one read: filters, its range, and the dynamic filters known when it opens. */
final class ScanQuery
{
    private final ScanContext context;
    private final List<JdbcColumnHandle> columns;
    private final TableAccess access;
    private final Optional<ReadFence> fence;
    private final Opener opener;

    private ScanQuery(ScanContext context, MysqlPqSplit split, List<JdbcColumnHandle> columns, Opener opener)
    {
        this(context, split, columns, fence(context, split), opener);
    }

    private ScanQuery(ScanContext context, MysqlPqSplit split, List<JdbcColumnHandle> columns, Optional<ReadFence> fence, Opener opener)
    {
        this.context = requireNonNull(context, "context is null");
        this.columns = ImmutableList.copyOf(columns);
        this.access = access(context, split);
        this.fence = requireNonNull(fence, "fence is null");
        this.opener = requireNonNull(opener, "opener is null");
    }

    /** Reads rows of a table or of a pushed query. */
    static ScanQuery rows(ScanContext context, MysqlPqSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        if (RowIdRange.is(split)) {
            return new ScanQuery(context, split, columns, new RowIdRange(context, split, table, columns)::open);
        }
        if (givesUnreturned(split, table)) {
            return wholeTable(context, split, table, columns);
        }
        Optional<NativeScan> nativeScan = NativeScan.of(context, split, table, columns);
        return new ScanQuery(context, split, columns, (connection, dynamicFilter, refusals) -> {
            if (nativeScan.isPresent()) {
                Optional<RowPages> pages = nativeScan.get().open(
                        connection,
                        dynamicFilter,
                        (session, last, _) -> pages(context, split, columns, session, prepareRows(context, split, table, columns, session, dynamicFilter, last)),
                        (code, _, _) -> {
                            refusals.accept(code);
                            return false;
                        });
                if (pages.isPresent()) {
                    return pages.get();
                }
            }
            return pages(context, split, columns, connection, prepareRows(context, split, table, columns, connection, dynamicFilter, Optional.empty()));
        });
    }

    // A statement that needs no transaction returns the unreturned columns too. To ask for them first would cost a look-up three round trips.
    private static boolean givesUnreturned(MysqlPqSplit split, JdbcTableHandle table)
    {
        return table.isNamedRelation()
                && split.range().isEmpty()
                && split.snapshot().isEmpty()
                && getOnlyElement(split.tables()).unreturned().stream().allMatch(NativeTable::isInRecord);
    }

    private static ScanQuery wholeTable(ScanContext context, MysqlPqSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        List<JdbcColumnHandle> unreturned = getOnlyElement(split.tables()).unreturned();
        List<JdbcColumnHandle> selected = ImmutableList.<JdbcColumnHandle>builder().addAll(columns).addAll(unreturned).build();
        return new ScanQuery(context, split, columns, Optional.empty(), (connection, dynamicFilter, _) -> {
            ResultSet rows = prepareRows(context, split, table, selected, connection, dynamicFilter, Optional.empty()).executeQuery();
            ReceivedColumn.checkRead(rows, columns.size(), unreturned);
            return RowPages.of(rows, mapped(context, columns, connection), context.packetDecoding());
        });
    }

    // After the key, if there is one.
    private static PreparedStatement prepareRows(
            ScanContext context,
            MysqlPqSplit split,
            JdbcTableHandle table,
            List<JdbcColumnHandle> columns,
            Connection connection,
            TupleDomain<ColumnHandle> dynamicFilter,
            Optional<KeyBound> last)
            throws SQLException
    {
        JdbcTableHandle read = withRange(context, split, withDynamicFilter(context, connection, table, dynamicFilter), last);
        Optional<IndexKey> key = split.range().filter(SplitRange::hypergraphOptimizer).map(SplitRange::key);
        if (key.isEmpty() || last.isPresent() || !KeyLookups.areFew(key.get(), table.getConstraint().intersect(dynamicFilter))) {
            return context.client().buildSql(context.session(), connection, new JdbcSplit(Optional.empty()), read, columns);
        }
        return prepare(context, connection, select(context, connection, read, Optional.empty(), columns, ImmutableMap.of()).transformQuery(RangeHint::hinted), columns);
    }

    /** Reads the groups of a range that lie in it whole, and what was pushed down on top of them. */
    static ScanQuery colocated(ScanContext context, MysqlPqSplit split, ColocatedAggregation groups, JdbcTableHandle result, List<JdbcColumnHandle> columns)
    {
        JdbcTableHandle ranged = withRange(context, split, groups.table(), Optional.empty());
        Optional<NativeScan> rows = GroupsInOrder.isSupported(groups) && ResultView.isSupported(result) ? NativeScan.of(context, split, groups.table(), groups.rowColumns()) : Optional.empty();
        return new ScanQuery(context, split, columns, (connection, dynamicFilter, refusals) -> {
            Optional<RowPages> groupsOfRows = rows.isPresent() ? groupsOfRows(context, split, groups, new ResultView(groups.columns(), result, columns), rows.get(), connection, dynamicFilter, refusals) : Optional.empty();
            if (groupsOfRows.isPresent()) {
                return groupsOfRows.get();
            }
            Optional<List<List<JdbcColumnHandle>>> groupingSets = Optional.of(ImmutableList.of(groups.groupBy()));
            JdbcTableHandle filtered = withDynamicFilter(context, connection, result, dynamicFilter);
            if (filtered.getConstraint().isAll() && filtered.getConstraintExpressions().isEmpty() && !columns.isEmpty()) {
                return pages(context, split, columns, connection, prepare(context, connection, select(context, connection, ranged, groupingSets, columns, groups.expressions(columns)), columns));
            }
            PreparedQuery query = select(context, connection, ranged, groupingSets, groups.columns(), groups.expressions(groups.columns()));
            JdbcTableHandle read = withRelation(filtered, new JdbcQueryRelationHandle(query));
            return pages(context, split, columns, connection, context.client().buildSql(context.session(), connection, new JdbcSplit(Optional.empty()), read, columns));
        });
    }

    private static Optional<RowPages> groupsOfRows(
            ScanContext context,
            MysqlPqSplit split,
            ColocatedAggregation groups,
            ResultView view,
            NativeScan scan,
            Connection connection,
            TupleDomain<ColumnHandle> dynamicFilter,
            Consumer<String> refusals)
            throws SQLException
    {
        // A filter of the groups is one of the rows.
        TupleDomain<ColumnHandle> filterOfRows = dynamicFilter.filter((column, _) -> groups.groupBy().contains((JdbcColumnHandle) column));
        Optional<RowPages> rows = scan.open(
                connection,
                filterOfRows,
                (session, last, _) -> pages(context, split, groups.rowColumns(), session, prepareInOrder(context, split, groups, session, last)),
                (code, _, _) -> {
                    refusals.accept(code);
                    return false;
                });
        GroupsInOrder inOrder = new GroupsInOrder(groups);
        return rows.map(opened -> new GroupedPages(opened, new GroupedPages.Grouping() {
            @Override
            public Page add(Page page)
            {
                return view.of(inOrder.add(page));
            }

            @Override
            public Page finish()
            {
                return view.of(inOrder.finish());
            }

            @Override
            public long retainedBytes()
            {
                return inOrder.retainedBytes();
            }
        }));
    }

    // Those after the key, group after group.
    private static PreparedStatement prepareInOrder(ScanContext context, MysqlPqSplit split, ColocatedAggregation groups, Connection connection, Optional<KeyBound> last)
            throws SQLException
    {
        String order = split.range().orElseThrow().key().columns().stream()
                .limit(groups.leadingColumns())
                .map(column -> context.client().quoted(column.name()) + (column.descending() ? " DESC" : ""))
                .collect(joining(", "));
        PreparedQuery query = select(context, connection, withRange(context, split, groups.table(), last), Optional.empty(), groups.rowColumns(), ImmutableMap.of());
        return prepare(context, connection, query.transformQuery(sql -> sql + " ORDER BY " + order), groups.rowColumns());
    }

    /** Reads the groups of a range, to be merged with those of others. */
    static ScanQuery groups(ScanContext context, MysqlPqSplit split, PartialAggregation aggregation)
    {
        JdbcTableHandle ranged = withRange(context, split, aggregation.table(), Optional.empty());
        List<JdbcColumnHandle> columns = aggregation.partialColumns();
        return new ScanQuery(context, split, columns, (connection, _, _) -> pages(context, split, columns, connection, prepare(
                context,
                connection,
                select(context, connection, ranged, Optional.of(ImmutableList.of(aggregation.groupBy())), columns, aggregation.partialExpressions()),
                columns)));
    }

    // As base-jdbc makes it, of a table without limit and order.
    private static PreparedQuery select(
            ScanContext context,
            Connection connection,
            JdbcTableHandle table,
            Optional<List<List<JdbcColumnHandle>>> groupingSets,
            List<JdbcColumnHandle> columns,
            Map<String, ParameterizedExpression> expressions)
    {
        return context.queryBuilder().prepareSelectQuery(
                context.client(),
                context.session(),
                connection,
                table.getRelationHandle(),
                groupingSets,
                columns,
                expressions,
                table.getConstraint(),
                conjunction(table.getConstraintExpressions()));
    }

    private static PreparedStatement prepare(ScanContext context, Connection connection, PreparedQuery query, List<JdbcColumnHandle> columns)
            throws SQLException
    {
        return context.queryBuilder().prepareStatement(context.client(), context.session(), connection, query, Optional.of(columns.size()));
    }

    private static TableAccess access(ScanContext context, MysqlPqSplit split)
    {
        return new TableAccess(split.tables(), context.client()::quoted, context.client()::quoted, context::withComment);
    }

    // A read without a snapshot and without a range is one statement. It needs a fence only if columns are to be compared before it.
    private static Optional<ReadFence> fence(ScanContext context, MysqlPqSplit split)
    {
        TableAccess access = access(context, split);
        return split.snapshot().<ReadFence>map(token -> new SnapshotFence(token, access, context.waitTimeout()))
                .or(() -> split.range().map(read -> DictionaryKey.isDefinition(read.definition()) ? new DictionaryFence(read, access) : new DefinitionFence(read, access)))
                .or(() -> access.hasUnreturnedColumns() ? Optional.of(new StatementFence(access)) : Optional.empty());
    }

    private static JdbcTableHandle withDynamicFilter(ScanContext context, Connection connection, JdbcTableHandle table, TupleDomain<ColumnHandle> dynamicFilter)
    {
        JdbcRelationHandle relation = table.getRelationHandle();
        return context.dynamicFilters().toSql(context.client(), context.session(), connection, relation, dynamicFilter)
                .map(filter -> withExpression(table, filter))
                .orElse(table);
    }

    private static JdbcTableHandle withRange(ScanContext context, MysqlPqSplit split, JdbcTableHandle table, Optional<KeyBound> last)
    {
        Optional<ParameterizedExpression> range = split.range()
                .flatMap(read -> {
                    RangePredicate predicate = new RangePredicate(read.key(), context.client()::quoted);
                    return last.map(key -> predicate.after(key, read.range())).or(() -> predicate.toSql(read.range()));
                })
                .map(sql -> new ParameterizedExpression(sql, ImmutableList.of()));
        JdbcRelationHandle relation = split.range()
                .<JdbcRelationHandle>map(read -> new IndexedRelation(table.getRequiredNamedRelation(), read.partitions(), read.key().index()))
                .orElse(table.getRelationHandle());
        JdbcTableHandle ranged = withRelation(table, relation);
        return range.map(predicate -> withExpression(ranged, predicate)).orElse(ranged);
    }

    private static Optional<ParameterizedExpression> conjunction(List<ParameterizedExpression> expressions)
    {
        if (expressions.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ParameterizedExpression(
                expressions.stream().map(expression -> "(%s)".formatted(expression.expression())).collect(joining(" AND ")),
                expressions.stream().flatMap(expression -> expression.parameters().stream()).collect(toImmutableList())));
    }

    List<JdbcColumnHandle> columns()
    {
        return columns;
    }

    Optional<ReadFence> fence()
    {
        return fence;
    }

    /** The failure in the reader's words, if MySQL's error comes of what others do to the tables. */
    Optional<TrinoException> explain(SQLException error)
    {
        return fence.isPresent() ? fence.get().explain(error) : access.explain(error);
    }

    /** What is read, for messages. */
    String tableNames()
    {
        return access.names();
    }

    /**
     * Sends the query.
     *
     * @param refusals told why the extension does not read the rows itself, if it was asked to
     */
    RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Consumer<String> refusals)
            throws SQLException
    {
        return opener.open(connection, dynamicFilter, refusals);
    }

    // The extension compares the columns of rows that it reads.
    private static RowPages pages(ScanContext context, MysqlPqSplit split, List<JdbcColumnHandle> columns, Connection connection, PreparedStatement statement)
            throws SQLException
    {
        access(context, split).compareUnreturned(connection);
        return RowPages.of(statement.executeQuery(), mapped(context, columns, connection), context.packetDecoding());
    }

    private static List<MappedColumn> mapped(ScanContext context, List<JdbcColumnHandle> columns, Connection connection)
    {
        return columns.stream()
                .map(column -> new MappedColumn(column.getColumnName(), column.getJdbcTypeHandle(), mapping(context, column, connection)))
                .collect(toImmutableList());
    }

    // Which Trino's views have without the settings of the query's session.
    private static ColumnMapping mapping(ScanContext context, JdbcColumnHandle column, Connection connection)
    {
        ColumnMapping mapping = context.client().toColumnMapping(context.session(), connection, column.getJdbcTypeHandle())
                .orElseThrow(() -> new TrinoException(GENERIC_INTERNAL_ERROR, "Column %s has the unsupported type %s".formatted(column.getColumnName(), column.getJdbcTypeHandle())));
        if (!mapping.getType().equals(column.getColumnType())) {
            throw new TrinoException(
                    NOT_SUPPORTED,
                    "Column %s was planned as type %s, and this session reads it as type %s. A view of Trino is planned without the session properties of the query that reads it. Reset those that choose types, or set them in the catalog"
                            .formatted(column.getColumnName(), column.getColumnType(), mapping.getType()));
        }
        return mapping;
    }

    String withComment(String sql)
    {
        return context.withComment(sql);
    }

    private interface Opener
    {
        RowPages open(Connection connection, TupleDomain<ColumnHandle> dynamicFilter, Consumer<String> refusals)
                throws SQLException;
    }
}
