package io.mysqlpq.trino.metadata;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.AggregatedTable;
import io.mysqlpq.trino.aggregation.AggregationPlanner;
import io.mysqlpq.trino.aggregation.AggregationRequest;
import io.mysqlpq.trino.aggregation.DistinctRows;
import io.mysqlpq.trino.aggregation.Grouping.ByRanges;
import io.mysqlpq.trino.aggregation.Grouping.ByTrino;
import io.mysqlpq.trino.aggregation.Grouping.OneStatement;
import io.mysqlpq.trino.expression.RowExpressions;
import io.mysqlpq.trino.planning.FirstRowsPlanner;
import io.mysqlpq.trino.planning.FirstRowsReader;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.QueryScans;
import io.mysqlpq.trino.planning.RangeSample;
import io.mysqlpq.trino.planning.ScanDecision;
import io.mysqlpq.trino.planning.ScanPlanner;
import io.mysqlpq.trino.pushdown.WidenedIntegers;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.mysqlpq.trino.split.DescribedRelation;
import io.mysqlpq.trino.split.MysqlPqSplitManager;
import io.mysqlpq.trino.split.OldValues;
import io.mysqlpq.trino.split.PushedQuery;
import io.mysqlpq.trino.split.QueriedTables;
import io.mysqlpq.trino.statistics.OneRow;
import io.mysqlpq.trino.tables.GeneratedKeys;
import io.mysqlpq.trino.write.WritingClient;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTransactionHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.TimestampTimeZoneDomain;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.Assignment;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableVersion;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.connector.JoinApplicationResult;
import io.trino.spi.connector.JoinStatistics;
import io.trino.spi.connector.JoinType;
import io.trino.spi.connector.LimitApplicationResult;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.connector.SampleApplicationResult;
import io.trino.spi.connector.SampleType;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.TopNApplicationResult;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.statistics.TableStatistics;
import io.trino.spi.type.Type;

import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.aggregation.AggregationSessionProperties.aggregationOptions;
import static io.mysqlpq.trino.handle.TableHandles.withColumns;
import static io.mysqlpq.trino.handle.TableHandles.withConstraint;
import static io.mysqlpq.trino.handle.TableHandles.withRelation;
import static io.mysqlpq.trino.metadata.ComputedRows.expressionsOf;
import static io.mysqlpq.trino.metadata.TableTraits.hasFirstRows;
import static io.mysqlpq.trino.metadata.TableTraits.isAggregatedNatively;
import static io.mysqlpq.trino.metadata.TableTraits.isComputedHere;
import static io.mysqlpq.trino.metadata.TableTraits.isOfWholeGroups;
import static io.mysqlpq.trino.metadata.TableTraits.isReadByWholeGroups;
import static io.mysqlpq.trino.metadata.TableTraits.isTableOfAllRows;
import static io.mysqlpq.trino.metadata.TableTraits.sample;
import static io.mysqlpq.trino.planning.PlanningSessionProperties.planningOptions;
import static io.trino.plugin.jdbc.JdbcJoinPushdownSessionProperties.getJoinPushdownStrategy;
import static io.trino.plugin.jdbc.JdbcMetadataSessionProperties.isAggregationPushdownEnabled;
import static io.trino.plugin.jdbc.JdbcMetadataSessionProperties.isComplexExpressionPushdown;
import static io.trino.plugin.jdbc.JoinPushdownStrategy.AUTOMATIC;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

/** Adds to base-jdbc's metadata how each scan will be read, which EXPLAIN shows. Lives as long as a transaction. */
class MysqlPqMetadata
        extends KeyHidingMetadata
{
    private final JdbcClient client;
    private final Runnable forgetMetadata;
    private final JdbcClient uncachedClient;
    private final ScanPlanner planner;
    private final AggregationPlanner aggregations;
    private final TransactionSnapshots snapshots;
    private final boolean statisticsEnabled;
    // What is known for the query that is planned now. A transaction may have several queries, one after the other.
    private final AtomicReference<QueryScans> scans = new AtomicReference<>();
    private final QueriedTables tables = new QueriedTables();
    // Set before anyone else knows this.
    private JdbcTransactionHandle transaction;

    MysqlPqMetadata(
            JdbcClient client,
            Runnable forgetMetadata,
            JdbcClient uncachedClient,
            TimestampTimeZoneDomain timestampTimeZoneDomain,
            Set<JdbcQueryEventListener> listeners,
            GeneratedKeys generatedKeys,
            ScanPlanner planner,
            AggregationPlanner aggregations,
            TransactionSnapshots snapshots,
            boolean statisticsEnabled)
    {
        super(client, timestampTimeZoneDomain, listeners, generatedKeys);
        this.client = requireNonNull(client, "client is null");
        this.forgetMetadata = requireNonNull(forgetMetadata, "forgetMetadata is null");
        this.uncachedClient = requireNonNull(uncachedClient, "uncachedClient is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.aggregations = requireNonNull(aggregations, "aggregations is null");
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.statisticsEnabled = statisticsEnabled;
    }

    void begin(JdbcTransactionHandle transaction)
    {
        this.transaction = requireNonNull(transaction, "transaction is null");
    }

    /** What a query of the transaction has learned of tables may no longer be true when the next query begins. */
    @Override
    public void beginQuery(ConnectorSession session)
    {
        forgetMetadata.run();
        scans.set(null);
        tables.forgetColumns();
        super.beginQuery(session);
    }

    @Override
    public JdbcTableHandle getTableHandle(
            ConnectorSession session,
            SchemaTableName name,
            Optional<ConnectorTableVersion> startVersion,
            Optional<ConnectorTableVersion> endVersion)
    {
        JdbcTableHandle table = super.getTableHandle(session, name, startVersion, endVersion);
        if (table == null) {
            return null;
        }
        RemoteTableName remoteName = table.getRequiredNamedRelation().getRemoteTableName();
        tables.add(table.getRequiredNamedRelation().getSchemaTableName(), remoteName);
        snapshots.addTable(transaction, session, remoteName);
        return described(session, table);
    }

    /** Trino calls it once for each scan of a plan that it is about to run, and for no other. */
    @Override
    public void validateScan(ConnectorSession session, ConnectorTableHandle table)
    {
        super.validateScan(session, table);
        snapshots.addScan(transaction, session, MysqlPqSplitManager.tables(table));
        if (table instanceof JdbcTableHandle handle && handle.getRelationHandle() instanceof DescribedRelation relation) {
            relation.decision().readBy(scans(session), options(session, relation));
        }
        TableTraits.decision(table).ifPresent(decision -> {
            decision.readBy(scans(session), decision.options());
            decision.decide();
        });
    }

    private PlanningOptions options(ConnectorSession session, DescribedRelation relation)
    {
        PlanningOptions options = planningOptions(session);
        return relation.givesFirstRows() ? options.ofFirstRows(relation.decision().options().nativeScans()) : relation.sample().map(part -> part.cut(options)).orElse(options);
    }

    @Override
    public Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(ConnectorSession session, ConnectorTableHandle table, Constraint constraint)
    {
        if (isAggregatedNatively(table) || (hasFirstRows(table) && !expressionsOf(table).isEmpty())) {
            return Optional.empty();
        }
        if (hasFirstRows(table)) {
            tables.addColumns(table, constraint.getAssignments().values());
        }
        FilterPushdown filters = new FilterPushdown(
                session,
                client,
                ofMysql -> super.applyFilter(session, table, ofMysql),
                rows -> computedRows(session, rows),
                rows -> described(session, rows));
        return filters.apply(table, constraint)
                .filter(result -> sample(result.getHandle()).equals(sample(table)))
                .map(this::withItsOwnStatistics);
    }

    private ComputedRows computedRows(ConnectorSession session, JdbcTableHandle table)
    {
        return new ComputedRows(session, aggregations, table, () -> aggregated(session, table));
    }

    // Trino would first ask for the statistics of the whole table, and estimate by them what the filter leaves.
    private ConstraintApplicationResult<ConnectorTableHandle> withItsOwnStatistics(ConstraintApplicationResult<ConnectorTableHandle> result)
    {
        return result.getHandle() instanceof JdbcTableHandle handle && planner.isPointLookup(handle) && result.getRemainingExpression().isPresent()
                ? new ConstraintApplicationResult<>(handle, result.getRemainingFilter(), result.getRemainingExpression().get(), false)
                : result;
    }

    /**
     * Reads a share of the table's ranges. From now on only filters and columns may be pushed down, which leave the ranges as they are.
     * MySQL would compute a limit, an aggregation or a join from the whole table.
     */
    @Override
    public Optional<SampleApplicationResult<ConnectorTableHandle>> applySample(ConnectorSession session, ConnectorTableHandle table, SampleType sampleType, double sampleRatio)
    {
        if (sampleType != SampleType.SYSTEM
                || !(table instanceof JdbcTableHandle handle)
                || !(handle.getRelationHandle() instanceof DescribedRelation relation)
                || relation.sample().isPresent()
                || !expressionsOf(handle).isEmpty()
                || handle.getLimit().isPresent()) {
            return Optional.empty();
        }
        RangeSample sample = new RangeSample(sampleRatio);
        return Optional.of(new SampleApplicationResult<>(withRelation(handle, described(session, handle, relation, Optional.of(sample))), false));
    }

    /** The scan may be read by an index that holds all of its columns. */
    @Override
    public Optional<ProjectionApplicationResult<ConnectorTableHandle>> applyProjection(
            ConnectorSession session,
            ConnectorTableHandle table,
            List<ConnectorExpression> projections,
            Map<String, ColumnHandle> assignments)
    {
        if (table instanceof JdbcTableHandle handle && isComplexExpressionPushdown(session) && expressionsOf(table).isEmpty() && !isComputedHere(handle) && assignments.values().stream().noneMatch(MysqlPqMetadata::isRowId)) {
            WidenedIntegers widened = WidenedIntegers.of(projections, assignments);
            if (!widened.columns().isEmpty()) {
                return Optional.of(widened(session, handle, widened, projections, widened.assignments(assignments)));
            }
        }
        if (table instanceof JdbcTableHandle handle) {
            ComputedRows rows = computedRows(session, handle);
            Optional<ComputedColumns> computed = rows.columns(projections, assignments);
            if (computed.isPresent()) {
                return rows.projected(computed.get())
                        .map(projected -> new ProjectionApplicationResult<>(described(session, projected), computed.get().projections(projections), computed.get().assignments(), true));
            }
        }
        return super.applyProjection(session, table, projections, assignments)
                .map(result -> new ProjectionApplicationResult<>(described(session, result.getHandle()), result.getProjections(), result.getAssignments(), result.isPrecalculateStatistics()))
                .filter(result -> sample(result.getHandle()).equals(sample(table)));
    }

    @Override
    public Optional<LimitApplicationResult<ConnectorTableHandle>> applyLimit(ConnectorSession session, ConnectorTableHandle table, long limit)
    {
        if (sample(table).isPresent() || isAggregatedNatively(table) || !expressionsOf(table).where().isEmpty() || isLimitedByTrino(session, table)) {
            return Optional.empty();
        }
        return super.applyLimit(session, table, limit)
                .flatMap(result -> firstOf(session, result.getHandle())
                        .map(first -> new LimitApplicationResult<>(described(session, first), result.isLimitGuaranteed(), result.isPrecalculateStatistics())));
    }

    @Override
    public Optional<TopNApplicationResult<ConnectorTableHandle>> applyTopN(
            ConnectorSession session,
            ConnectorTableHandle table,
            long topNCount,
            List<SortItem> sortItems,
            Map<String, ColumnHandle> assignments)
    {
        RowExpressions computed = expressionsOf(table);
        if (sample(table).isPresent() || isAggregatedNatively(table) || !computed.computed().isEmpty() || isReadByWholeGroups(table) || (hasFirstRows(table) && !computed.isEmpty())) {
            return Optional.empty();
        }
        if (hasFirstRows(table)) {
            tables.addColumns(table, assignments.values());
        }
        return super.applyTopN(session, table, topNCount, sortItems, assignments)
                .flatMap(result -> switch (topNReader(session, table, result.getHandle())) {
                    case ONE_STATEMENT -> firstOf(session, result.getHandle())
                            .map(first -> new TopNApplicationResult<>(described(session, first), result.isTopNGuaranteed(), result.isPrecalculateStatistics()));
                    case EACH_RANGE_NATIVELY -> Optional.of(new TopNApplicationResult<>(ofFirstRows(session, (JdbcTableHandle) result.getHandle(), true), false, result.isPrecalculateStatistics()));
                    case EACH_RANGE -> Optional.of(new TopNApplicationResult<>(ofFirstRows(session, (JdbcTableHandle) result.getHandle(), false), false, result.isPrecalculateStatistics()));
                    case TRINO -> Optional.empty();
                });
    }

    private boolean isLimitedByTrino(ConnectorSession session, ConnectorTableHandle table)
    {
        return isReadByWholeGroups(table)
                || (isTableOfAllRows(table) && FirstRowsPlanner.limit(scans(session), withKnownColumns(session, (JdbcTableHandle) table), planningOptions(session)) == FirstRowsReader.TRINO);
    }

    private FirstRowsReader topNReader(ConnectorSession session, ConnectorTableHandle table, ConnectorTableHandle first)
    {
        if (!isTableOfAllRows(table)) {
            return FirstRowsReader.ONE_STATEMENT;
        }
        FirstRowsReader reader = FirstRowsPlanner.topN(scans(session), withKnownColumns(session, (JdbcTableHandle) table), withKnownColumns(session, (JdbcTableHandle) first), isOrderedNatively(session, (JdbcTableHandle) first), planningOptions(session));
        // SQL does not know all filters.
        return expressionsOf(table).isEmpty() || reader == FirstRowsReader.EACH_RANGE_NATIVELY ? reader : FirstRowsReader.TRINO;
    }

    private boolean isOrderedNatively(ConnectorSession session, JdbcTableHandle first)
    {
        return first.getSortOrder().orElseThrow().stream().allMatch(item -> aggregations.isOrdered(session, item.column()))
                && scans(session).isAggregated(first.getRequiredNamedRelation().getRemoteTableName());
    }

    private JdbcTableHandle ofFirstRows(ConnectorSession session, JdbcTableHandle first, boolean natively)
    {
        PlanningOptions options = planningOptions(session).ofFirstRows(natively);
        return withRelation(first, new DescribedRelation(first.getRequiredNamedRelation(), Optional.empty(), scans(session).decision(() -> withKnownColumns(session, first), options)));
    }

    // A limit over distinct rows goes into the statement that reads them. Otherwise MySQL would first find all of them. Empty if Trino takes the first rows.
    private Optional<ConnectorTableHandle> firstOf(ConnectorSession session, ConnectorTableHandle table)
    {
        if (table instanceof JdbcTableHandle first
                && first.getRelationHandle() instanceof PushedQuery query
                && query.distinct().isPresent()
                && first.getConstraint().isAll()
                && first.getConstraintExpressions().isEmpty()) {
            DistinctRows distinct = query.distinct().get();
            return aggregations.first(session, aggregated(session, distinct.table()), query.getPreparedQuery(), query.byRanges(), distinct, first)
                    .map(rows -> withRelation(first, query.first(rows)));
        }
        return Optional.of(table);
    }

    static boolean isRowId(ColumnHandle column)
    {
        return ((JdbcColumnHandle) column).getColumnName().equals(MERGE_ROW_ID);
    }

    private ProjectionApplicationResult<ConnectorTableHandle> widened(ConnectorSession session, JdbcTableHandle handle, WidenedIntegers widened, List<ConnectorExpression> projections, Map<String, JdbcColumnHandle> columns)
    {
        return new ProjectionApplicationResult<>(
                described(session, withColumns(withConstraint(handle, widened.widen(handle.getConstraint())), ImmutableList.copyOf(columns.values()))),
                projections.stream().map(widened::replaceCasts).collect(toImmutableList()),
                columns.entrySet().stream().map(column -> new Assignment(column.getKey(), column.getValue(), column.getValue().getColumnType())).collect(toImmutableList()),
                true);
    }

    @Override
    public Optional<AggregationApplicationResult<ConnectorTableHandle>> applyAggregation(
            ConnectorSession session,
            ConnectorTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets)
    {
        JdbcTableHandle rows = (JdbcTableHandle) table;
        // MySQL would compute these groups in one thread to compute others of them.
        if (!isAggregationPushdownEnabled(session) || sample(rows).isPresent() || isOfWholeGroups(rows) || isAggregatedNatively(rows)) {
            return Optional.empty();
        }
        if (!expressionsOf(rows).isEmpty()) {
            return computedRows(session, rows).aggregated(aggregates, assignments, columns(groupingSets));
        }
        tables.addColumns(rows, assignments.values());
        Optional<AggregationApplicationResult<ConnectorTableHandle>> pushed = super.applyAggregation(session, rows, aggregates, assignments, groupingSets);
        if (pushed.isEmpty()) {
            return computedRows(session, rows).aggregated(aggregates, assignments, columns(groupingSets));
        }
        return pushed.flatMap(result -> switch (described(session, (JdbcTableHandle) result.getHandle()).getRelationHandle()) {
            case PushedQuery query -> grouped(session, rows, query, new AggregationRequest(query.getPreparedQuery(), aggregates, assignments, columns(groupingSets), columns(result)))
                    .map(planned -> withQuery(result, planned));
            default -> Optional.of(result);
        });
    }

    // Empty if Trino is to group.
    private Optional<PushedQuery> grouped(ConnectorSession session, JdbcTableHandle rows, PushedQuery query, AggregationRequest request)
    {
        Optional<PushedQuery> grouped = switch (aggregations.plan(session, aggregated(session, rows), request, aggregationOptions(session))) {
            case ByTrino _ -> Optional.empty();
            case OneStatement _ -> Optional.of(query);
            case ByRanges ranges -> Optional.of(query.with(ranges));
        };
        return request.aggregates().isEmpty() ? grouped.map(groups -> DistinctRows.of(rows, request.groupBy()).map(groups::ofDistinct).orElse(groups)) : grouped;
    }

    private AggregatedTable aggregated(ConnectorSession session, JdbcTableHandle rows)
    {
        return new AggregatedTable(scans(session), withKnownColumns(session, rows), () -> getTableStatistics(session, rows), planningOptions(session));
    }

    private static List<JdbcColumnHandle> columns(AggregationApplicationResult<ConnectorTableHandle> result)
    {
        return result.getAssignments().stream().map(assignment -> (JdbcColumnHandle) assignment.getColumn()).collect(toImmutableList());
    }

    private static List<JdbcColumnHandle> columns(List<List<ColumnHandle>> groupingSets)
    {
        return getOnlyElement(groupingSets).stream().map(JdbcColumnHandle.class::cast).collect(toImmutableList());
    }

    private static AggregationApplicationResult<ConnectorTableHandle> withQuery(AggregationApplicationResult<ConnectorTableHandle> result, PushedQuery query)
    {
        return new AggregationApplicationResult<>(
                withRelation((JdbcTableHandle) result.getHandle(), query),
                result.getProjections(),
                result.getAssignments(),
                result.getGroupingColumnMapping(),
                result.isPrecalculateStatistics());
    }

    private QueryScans scans(ConnectorSession session)
    {
        return scans.updateAndGet(known -> known != null && known.isOf(session) ? known : planner.query(session));
    }

    @Override
    public Optional<JoinApplicationResult<ConnectorTableHandle>> applyJoin(
            ConnectorSession session,
            JoinType joinType,
            ConnectorTableHandle left,
            ConnectorTableHandle right,
            ConnectorExpression joinCondition,
            Map<String, ColumnHandle> leftAssignments,
            Map<String, ColumnHandle> rightAssignments,
            JoinStatistics statistics)
    {
        if (sample(left).isPresent() || sample(right).isPresent()) {
            return Optional.empty();
        }
        if (!expressionsOf(left).isEmpty() || !expressionsOf(right).isEmpty() || isAggregatedNatively(left) || isAggregatedNatively(right)) {
            return Optional.empty();
        }
        if (sharesSnapshot(session) && !(haveSnapshots(session, left) && haveSnapshots(session, right))) {
            return Optional.empty();
        }
        if (getJoinPushdownStrategy(session) == AUTOMATIC && (isReadByRanges(session, left) || isReadByRanges(session, right))) {
            return Optional.empty();
        }
        tables.addColumns(left, leftAssignments.values());
        tables.addColumns(right, rightAssignments.values());
        return super.applyJoin(session, joinType, left, right, joinCondition, leftAssignments, rightAssignments, statistics)
                .map(result -> new JoinApplicationResult<>(
                        described(session, result.getTableHandle()),
                        result.getLeftColumnHandles(),
                        result.getRightColumnHandles(),
                        result.isPrecalculateStatistics()));
    }

    // MySQL joins in one thread, whatever part of the tables the filters leave.
    private boolean isReadByRanges(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle
                && (isOfWholeGroups(handle)
                        || (handle.isNamedRelation()
                                && getTableStatistics(session, handle).getRowCount().getValue() > planningOptions(session).targetRowsPerSplit()
                                && !decision(session, handle, Optional.empty()).path().isWhole()));
    }

    /**
     * Returns the table's primary key as it is now. base-jdbc's cache of keys outlives changes of the table, so rows could be updated by
     * another key than they were read with. Values of other columns travel with the key, so that the change of a row notices a change
     * since.
     */
    @Override
    public ColumnHandle getMergeRowIdColumnHandle(ConnectorSession session, ConnectorTableHandle table)
    {
        JdbcNamedRelationHandle relation = ((JdbcTableHandle) table).getRequiredNamedRelation();
        snapshots.keep(transaction, session, relation.getRemoteTableName());
        List<JdbcColumnHandle> key = uncachedClient.getPrimaryKeys(session, relation.getRemoteTableName());
        // Trino asks for it also where all changes will be pushed down.
        Type type = key.isEmpty() ? BIGINT : OldValues.rowIdType(key, WritingClient.oldColumns(uncachedClient.getColumns(session, relation.getSchemaTableName(), relation.getRemoteTableName()), key));
        return new JdbcColumnHandle(MERGE_ROW_ID, new JdbcTypeHandle(Types.ROWID, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()), type);
    }

    @Override
    public Optional<ConnectorTableHandle> applyDelete(ConnectorSession session, ConnectorTableHandle table)
    {
        if (!expressionsOf(table).isEmpty()) {
            return Optional.empty();
        }
        return super.applyDelete(session, table).map(deleted -> OldValues.withFilteredColumns((JdbcTableHandle) deleted));
    }

    @Override
    public Optional<ConnectorTableHandle> applyUpdate(ConnectorSession session, ConnectorTableHandle table, Map<ColumnHandle, Constant> assignments)
    {
        if (!expressionsOf(table).isEmpty()) {
            return Optional.empty();
        }
        return super.applyUpdate(session, table, assignments).map(updated -> OldValues.withFilteredColumns((JdbcTableHandle) updated));
    }

    /** Estimates the rows of a sample by its share of the table. A look-up by a unique key has one row, and MySQL is not asked. */
    @Override
    public TableStatistics getTableStatistics(ConnectorSession session, ConnectorTableHandle table)
    {
        if (statisticsEnabled && table instanceof JdbcTableHandle handle && planner.isPointLookup(handle)) {
            JdbcNamedRelationHandle relation = handle.getRequiredNamedRelation();
            return OneRow.statistics(client.getColumns(session, relation.getSchemaTableName(), relation.getRemoteTableName()));
        }
        TableStatistics all = super.getTableStatistics(session, table);
        return sample(table).map(part -> part.of(all)).orElse(all);
    }

    private boolean sharesSnapshot(ConnectorSession session)
    {
        SnapshotMode mode = planningOptions(session).snapshotMode();
        return mode == SnapshotMode.AUTO || mode == SnapshotMode.EXACT;
    }

    // A pushed join with a table that has no snapshot would take its other tables out of the query's snapshot.
    private boolean haveSnapshots(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle
                && handle.getAllReferencedTables().map(names -> names.stream().map(tables::remoteName).allMatch(name -> scans(session).key(name).hasSnapshots())).orElse(false);
    }

    private ConnectorTableHandle described(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle ? described(session, handle) : table;
    }

    private JdbcTableHandle described(ConnectorSession session, JdbcTableHandle table)
    {
        tables.addColumns(table);
        return withRelation(table, switch (table.getRelationHandle()) {
            case DescribedRelation relation when relation.givesFirstRows() -> ofFirstRows(session, table, relation.decision().options().nativeScans()).getRelationHandle();
            case DescribedRelation relation -> described(session, table, relation, relation.sample());
            case JdbcNamedRelationHandle relation -> described(session, table, relation, Optional.empty());
            case PushedQuery query -> query.giving(table);
            case JdbcQueryRelationHandle query -> described(table, query);
            default -> table.getRelationHandle();
        });
    }

    private JdbcRelationHandle described(ConnectorSession session, JdbcTableHandle table, JdbcNamedRelationHandle relation, Optional<RangeSample> sample)
    {
        return new DescribedRelation(relation, sample, decision(session, table, sample));
    }

    private ScanDecision decision(ConnectorSession session, JdbcTableHandle table, Optional<RangeSample> sample)
    {
        PlanningOptions options = planningOptions(session);
        return scans(session).decision(() -> withKnownColumns(session, table), sample.map(part -> part.cut(options)).orElse(options));
    }

    // Where Trino has asked for no projection, a scan reads all columns.
    private JdbcTableHandle withKnownColumns(ConnectorSession session, JdbcTableHandle table)
    {
        return table.getColumns().isPresent() ? table : withColumns(table, columns(session, table));
    }

    private List<JdbcColumnHandle> columns(ConnectorSession session, JdbcTableHandle table)
    {
        return getColumnHandles(session, table).values().stream()
                .map(JdbcColumnHandle.class::cast)
                .collect(toImmutableList());
    }

    // Nobody knows which columns the user's own SQL reads.
    private JdbcRelationHandle described(JdbcTableHandle table, JdbcQueryRelationHandle query)
    {
        return table.getAllReferencedTables()
                .<JdbcRelationHandle>map(names -> new PushedQuery(query.getPreparedQuery(), names.stream().map(tables::readByQuery).collect(toImmutableList())))
                .orElse(query);
    }
}
