package io.mysqlpq.trino.client;

import com.google.common.base.VerifyException;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import com.mysql.cj.jdbc.JdbcStatement;
import io.mysqlpq.trino.driver.ReusedConnections;
import io.mysqlpq.trino.driver.UtcConnections;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.pushdown.AggregatePushdown;
import io.mysqlpq.trino.pushdown.ColumnSemantics;
import io.mysqlpq.trino.pushdown.ComparedText;
import io.mysqlpq.trino.pushdown.Expressions;
import io.mysqlpq.trino.pushdown.TextCollationReader;
import io.mysqlpq.trino.split.NamedColumns;
import io.mysqlpq.trino.statistics.TableStatisticsReader;
import io.mysqlpq.trino.tables.ListedColumns;
import io.mysqlpq.trino.tables.ListedNames;
import io.mysqlpq.trino.tables.MetadataNames;
import io.mysqlpq.trino.tables.VerifiedTableCache;
import io.mysqlpq.trino.types.InvalidDateHandling;
import io.mysqlpq.trino.types.MysqlTypes;
import io.mysqlpq.trino.types.TextCollation;
import io.mysqlpq.trino.write.AbandonedTables;
import io.mysqlpq.trino.write.WritingClient;
import io.trino.plugin.base.expression.ConnectorExpressionRewriter;
import io.trino.plugin.base.mapping.DefaultIdentifierMapping;
import io.trino.plugin.base.mapping.IdentifierMapping;
import io.trino.plugin.jdbc.BaseJdbcConfig;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.ForJdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.JdbcSortItem;
import io.trino.plugin.jdbc.JdbcSplit;
import io.trino.plugin.jdbc.JdbcStatisticsConfig;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.JoinStatistics;
import io.trino.spi.connector.JoinType;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationCommentMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableNotFoundException;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.statistics.TableStatistics;
import io.trino.spi.type.StandardTypes;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeDescriptor;
import io.trino.spi.type.TypeManager;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import static com.google.common.base.Strings.emptyToNull;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static io.mysqlpq.trino.types.TypeSessionProperties.typeOptions;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.plugin.jdbc.JdbcJoinPushdownUtil.implementJoinCostAware;
import static io.trino.plugin.jdbc.PredicatePushdownController.DISABLE_PUSHDOWN;
import static io.trino.plugin.jdbc.TypeHandlingJdbcSessionProperties.getUnsupportedTypeHandling;
import static io.trino.plugin.jdbc.UnsupportedTypeHandling.CONVERT_TO_VARCHAR;
import static java.util.Locale.ENGLISH;
import static java.util.stream.Collectors.joining;

/** Speaks MySQL's SQL: names, types and pushdown. A MySQL database is JDBC's catalog and Trino's schema. */
public class MysqlPqClient
        extends WritingClient
{
    private static final ImmutableSet<String> HIDDEN_SCHEMAS = ImmutableSet.of("information_schema", "mysql", "sys");

    private final ColumnSemantics columns;
    private final ConnectorExpressionRewriter<ParameterizedExpression> expressions;
    private final AggregatePushdown aggregates;
    private final TextCollationReader collations;
    private final Type jsonType;
    private final Optional<TableStatisticsReader> statistics;
    private final Optional<VerifiedTableCache> tableCache;
    private final PassedQueries passedQueries;
    private final ListedNames listedNames = new ListedNames();

    @Inject
    public MysqlPqClient(
            BaseJdbcConfig config,
            JdbcStatisticsConfig statisticsConfig,
            ReusedConnections connectionFactory,
            @ForBaseJdbc ConnectionFactory newConnections,
            UtcConnections utcConnections,
            AbandonedTables abandonedTables,
            QueryBuilder queryBuilder,
            TypeManager typeManager,
            IdentifierMapping identifierMapping,
            RemoteQueryModifier queryModifier,
            VerifiedTableCache tableCache,
            TableStatisticsReader statistics,
            @ForJdbcClient ExecutorService executor)
    {
        super(connectionFactory, utcConnections, abandonedTables, queryBuilder, config.getJdbcTypesMappedToVarchar(), identifierMapping, queryModifier);
        // Another spelling may lead to another table, although no table has changed.
        this.tableCache = identifierMapping instanceof DefaultIdentifierMapping && tableCache.isEnabled() ? Optional.of(tableCache) : Optional.empty();
        this.columns = new ColumnSemantics(session -> typeOptions(session).invalidDates() == InvalidDateHandling.NULL);
        this.expressions = Expressions.rewriter(this::quoted, columns);
        this.aggregates = new AggregatePushdown(expressions, columns);
        this.collations = new TextCollationReader(connectionFactory, queryModifier);
        this.jsonType = typeManager.getType(new TypeDescriptor(StandardTypes.JSON));
        this.statistics = statisticsConfig.isEnabled() ? Optional.of(statistics) : Optional.empty();
        this.passedQueries = new PassedQueries(connectionFactory, newConnections, queryModifier, executor);
    }

    @Override
    public Collection<String> listSchemas(Connection connection)
    {
        try (ResultSet schemas = connection.getMetaData().getCatalogs()) {
            ImmutableSet.Builder<String> names = ImmutableSet.builder();
            while (schemas.next()) {
                String name = schemas.getString("TABLE_CAT");
                if (filterRemoteSchema(name)) {
                    names.add(name);
                }
            }
            return names.build();
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, e);
        }
    }

    @Override
    protected boolean filterRemoteSchema(String schemaName)
    {
        return !HIDDEN_SCHEMAS.contains(schemaName.toLowerCase(ENGLISH));
    }

    @Override
    public ResultSet getTables(Connection connection, Optional<String> schemaName, Optional<String> tableName)
            throws SQLException
    {
        DatabaseMetaData metadata = connection.getMetaData();
        MetadataNames names = new MetadataNames(metadata);
        return metadata.getTables(
                schemaName.map(names::literal).orElse(null),
                null,
                tableName.map(names::pattern).orElse(null),
                getTableTypes().map(types -> types.toArray(String[]::new)).orElse(null));
    }

    @Override
    protected ResultSet getColumns(RemoteTableName table, DatabaseMetaData metadata)
            throws SQLException
    {
        MetadataNames names = new MetadataNames(metadata);
        return ListedColumns.of(metadata.getColumns(table.getCatalogName().map(names::literal).orElse(null), null, names.pattern(table.getTableName()), null));
    }

    @Override
    public Optional<JdbcTableHandle> getTableHandle(ConnectorSession session, SchemaTableName name)
    {
        Optional<JdbcTableHandle> known = tableCache.flatMap(tables -> tables.table(session, name));
        if (known.isPresent()) {
            return known;
        }
        Optional<JdbcTableHandle> table = super.getTableHandle(session, name);
        table.ifPresent(handle -> tableCache.ifPresent(tables -> tables.learn(session, name, handle, () -> super.getTableHandle(session, name))));
        return table;
    }

    @Override
    public JdbcTableHandle getTableHandle(ConnectorSession session, PreparedQuery query)
    {
        return passedQueries.handle(session, query, (connection, columns) -> getColumns(session, connection, columns));
    }

    @Override
    public List<RelationCommentMetadata> getAllTableComments(ConnectorSession session, Optional<String> schema)
    {
        return listedNames.once(
                super.getAllTableComments(session, schema).iterator(),
                RelationCommentMetadata::name,
                name -> getTableHandle(session, name).map(table -> RelationCommentMetadata.forRelation(name, table.getRequiredNamedRelation().getComment())));
    }

    @Override
    public Iterator<RelationColumnsMetadata> getAllTableColumns(ConnectorSession session, Optional<String> schema)
    {
        return listedNames.once(
                super.getAllTableColumns(session, schema),
                RelationColumnsMetadata::name,
                name -> getTableHandle(session, name).map(table -> RelationColumnsMetadata.forTable(name, getColumns(session, name, table.getRequiredNamedRelation().getRemoteTableName()).stream().map(JdbcColumnHandle::getColumnMetadata).collect(toImmutableList()))))
                .iterator();
    }

    /** All columns of a schema, or of all schemas, by one statement. */
    @Override
    protected ResultSet getAllTableColumns(Connection connection, Optional<String> schemaName)
            throws SQLException
    {
        DatabaseMetaData metadata = connection.getMetaData();
        return ListedColumns.of(metadata.getColumns(schemaName.map(new MetadataNames(metadata)::literal).orElse(null), null, null, null));
    }

    @Override
    public List<JdbcColumnHandle> getColumns(ConnectorSession session, SchemaTableName table, RemoteTableName remoteTable)
    {
        Optional<List<JdbcColumnHandle>> known = tableCache.flatMap(tables -> tables.columns(session, table));
        if (known.isPresent()) {
            return known.get();
        }
        List<JdbcColumnHandle> columns = collations.addTo(session, remoteTable, readColumns(session, table, remoteTable));
        tableCache.ifPresent(tables -> tables.learn(session, table, columns));
        return columns;
    }

    @Override
    protected List<JdbcColumnHandle> currentColumns(ConnectorSession session, SchemaTableName name, RemoteTableName table)
    {
        tableCache.ifPresent(tables -> tables.askAgain(session, name));
        return getColumns(session, name, table);
    }

    private List<JdbcColumnHandle> readColumns(ConnectorSession session, SchemaTableName table, RemoteTableName remoteTable)
    {
        try {
            return super.getColumns(session, table, remoteTable);
        }
        catch (TableNotFoundException e) {
            // MySQL lists no columns of a view on something that is gone. It tells why when it is asked for rows.
            throwIfUnreadable(session, remoteTable);
            throw e;
        }
    }

    private void throwIfUnreadable(ConnectorSession session, RemoteTableName table)
    {
        try (Connection connection = connectionFactory.openConnection(session)) {
            execute(session, connection, "SELECT 1 FROM %s LIMIT 0".formatted(quoted(table)));
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read the columns of %s: %s".formatted(table, ErrorHints.explain(e, "reply-timeout")), e);
        }
    }

    @Override
    protected String getTableRemoteSchemaName(ResultSet tables)
            throws SQLException
    {
        return tables.getString("TABLE_CAT");
    }

    @Override
    public Optional<String> getTableComment(ResultSet tables)
            throws SQLException
    {
        return Optional.ofNullable(emptyToNull(tables.getString("REMARKS")));
    }

    @Override
    public TableStatistics getTableStatistics(ConnectorSession session, JdbcTableHandle handle)
    {
        if (statistics.isEmpty() || !handle.isNamedRelation()) {
            return TableStatistics.empty();
        }
        SchemaTableName name = handle.getRequiredNamedRelation().getSchemaTableName();
        // Estimates may use columns that have changed since.
        return statistics.get().read(session, handle, () -> tableCache.flatMap(tables -> tables.lastColumns(session, name))
                .orElseGet(() -> getColumns(session, name, handle.getRequiredNamedRelation().getRemoteTableName())));
    }

    /** base-jdbc would open a connection for it, which nothing here asks. */
    @Override
    public PreparedQuery prepareQuery(
            ConnectorSession session,
            JdbcTableHandle table,
            Optional<List<List<JdbcColumnHandle>>> groupingSets,
            List<JdbcColumnHandle> columns,
            Map<String, ParameterizedExpression> columnExpressions)
    {
        return prepareQuery(session, null, table, groupingSets, columns, columnExpressions, Optional.empty());
    }

    /** base-jdbc would open a connection for it. */
    @Override
    public List<ColumnMapping> toColumnMappings(ConnectorSession session, List<JdbcTypeHandle> types)
    {
        return types.stream()
                .map(type -> toColumnMapping(session, type).orElseThrow(() -> new VerifyException("Unsupported type " + type)))
                .collect(toImmutableList());
    }

    @Override
    public Optional<ColumnMapping> toColumnMapping(ConnectorSession session, Connection connection, JdbcTypeHandle type)
    {
        return toColumnMapping(session, type);
    }

    private Optional<ColumnMapping> toColumnMapping(ConnectorSession session, JdbcTypeHandle collatedType)
    {
        JdbcTypeHandle typeHandle = TextCollation.removeFrom(collatedType);
        Optional<ColumnMapping> forced = getForcedMappingToVarchar(typeHandle);
        if (forced.isPresent()) {
            return forced;
        }
        Optional<ColumnMapping> mapping = MysqlTypes.columnMapping(session, typeHandle, jsonType);
        if (TextCollation.mayHoldHalves(collatedType)) {
            return mapping.map(text -> ColumnMapping.mapping(text.getType(), text.getReadFunction(), text.getWriteFunction(), DISABLE_PUSHDOWN));
        }
        if (mapping.isEmpty() && getUnsupportedTypeHandling(session) == CONVERT_TO_VARCHAR) {
            return mapToUnboundedVarchar(typeHandle);
        }
        return mapping;
    }

    @Override
    public WriteMapping toWriteMapping(ConnectorSession session, Type type)
    {
        return MysqlTypes.writeMapping(type);
    }

    @Override
    protected Optional<BiFunction<String, Long, String>> limitFunction()
    {
        return Optional.of((sql, limit) -> sql + " LIMIT " + limit);
    }

    /** A scan with a limit is one split, unless each range gives its first rows: see FirstRowsPlanner. */
    @Override
    public boolean isLimitGuaranteed(ConnectorSession session)
    {
        return true;
    }

    @Override
    public boolean supportsTopN(ConnectorSession session, JdbcTableHandle handle, List<JdbcSortItem> sortOrder)
    {
        return sortOrder.stream().map(JdbcSortItem::column).allMatch(column -> columns.areComparedAlike(session, column))
                && ComparedText.areSortable(sortOrder.stream().map(JdbcSortItem::column).collect(toImmutableList()));
    }

    @Override
    protected Optional<TopNFunction> topNFunction()
    {
        return Optional.of((query, sortItems, limit) -> query
                + sortItems.stream().flatMap(this::orderBy).collect(joining(", ", " ORDER BY ", ""))
                + " LIMIT " + limit);
    }

    // MySQL takes NULL for the smallest value.
    private Stream<String> orderBy(JdbcSortItem item)
    {
        String column = ComparedText.sortable(quoted(item.column().getColumnName()), item.column());
        return switch (item.sortOrder()) {
            case ASC_NULLS_FIRST -> Stream.of(column + " ASC");
            case DESC_NULLS_LAST -> Stream.of(column + " DESC");
            case ASC_NULLS_LAST -> Stream.of("ISNULL(" + column + ") ASC", column + " ASC");
            case DESC_NULLS_FIRST -> Stream.of("ISNULL(" + column + ") DESC", column + " DESC");
        };
    }

    /** A scan with a limit is one split, unless each range gives its first rows: see FirstRowsPlanner. */
    @Override
    public boolean isTopNGuaranteed(ConnectorSession session)
    {
        return true;
    }

    @Override
    public boolean supportsAggregationPushdown(
            ConnectorSession session,
            JdbcTableHandle table,
            List<AggregateFunction> functions,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets)
    {
        return aggregates.supports(session, functions, assignments, groupingSets);
    }

    @Override
    public Optional<JdbcExpression> implementAggregation(ConnectorSession session, AggregateFunction aggregate, Map<String, ColumnHandle> assignments)
    {
        return aggregates.implement(session, aggregate, assignments);
    }

    @Override
    public Optional<ParameterizedExpression> convertPredicate(ConnectorSession session, ConnectorExpression expression, Map<String, ColumnHandle> assignments)
    {
        return expressions.rewrite(session, expression, assignments);
    }

    @Override
    public Optional<PreparedQuery> implementJoin(
            ConnectorSession session,
            JoinType joinType,
            PreparedQuery left,
            Map<JdbcColumnHandle, String> leftProjections,
            PreparedQuery right,
            Map<JdbcColumnHandle, String> rightProjections,
            List<ParameterizedExpression> conditions,
            JoinStatistics statistics)
    {
        if (joinType == JoinType.FULL_OUTER) {
            return Optional.empty();
        }
        return implementJoinCostAware(
                session,
                joinType,
                left,
                right,
                statistics,
                () -> super.implementJoin(session, joinType, left, leftProjections, right, rightProjections, conditions, statistics));
    }

    /** This connector's own readers compare the columns by themselves. base-jdbc's readers ignore columns after their own. */
    @Override
    public PreparedStatement buildSql(ConnectorSession session, Connection connection, JdbcSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns)
            throws SQLException
    {
        if (table.getAllReferencedTables().isPresent()) {
            return super.buildSql(session, connection, split, table, columns);
        }
        List<JdbcColumnHandle> compared = Stream.concat(columns.stream(), NamedColumns.filteredOrOrdered(table)).distinct().collect(toImmutableList());
        return CheckedResults.of(super.buildSql(session, connection, split, table, compared), compared);
    }

    @Override
    public PreparedStatement getPreparedStatement(Connection connection, String sql, Optional<Integer> columnCount)
            throws SQLException
    {
        PreparedStatement statement = connection.prepareStatement(sql);
        // Without this the driver holds the whole result in memory.
        statement.unwrap(JdbcStatement.class).enableStreamingResults();
        return statement;
    }

    @Override
    public void abortReadConnection(Connection connection, ResultSet rows)
            throws SQLException
    {
        if (!rows.isAfterLast()) {
            // Closing would first read all remaining rows.
            connection.abort(directExecutor());
        }
    }
}
