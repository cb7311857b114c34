package io.mysqlpq.trino;

import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import com.mysql.cj.jdbc.JdbcStatement;
import io.trino.plugin.base.mapping.IdentifierMapping;
import io.trino.plugin.jdbc.BaseJdbcConfig;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcSortItem;
import io.trino.plugin.jdbc.JdbcStatisticsConfig;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.WriteMapping;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.statistics.TableStatistics;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.RealType;
import io.trino.spi.type.StandardTypes;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import io.trino.spi.type.TypeDescriptor;
import io.trino.spi.type.VarcharType;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import static com.google.common.base.Strings.emptyToNull;
import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.plugin.jdbc.TypeHandlingJdbcSessionProperties.getUnsupportedTypeHandling;
import static io.trino.plugin.jdbc.UnsupportedTypeHandling.CONVERT_TO_VARCHAR;
import static java.util.Locale.ENGLISH;
import static java.util.stream.Collectors.joining;

/** Speaks MySQL's SQL: names, types and pushdown. A MySQL database is JDBC's catalog and Trino's schema. */
public class MysqlPqClient
        extends WritingClient
{
    private static final ImmutableSet<String> HIDDEN_SCHEMAS = ImmutableSet.of("information_schema", "mysql", "sys");

    private final ReadMappings readMappings;
    private final Optional<TableStatisticsReader> statistics;

    @Inject
    public MysqlPqClient(
            BaseJdbcConfig config,
            JdbcStatisticsConfig statisticsConfig,
            ConnectionFactory connectionFactory,
            UtcConnections utcConnections,
            QueryBuilder queryBuilder,
            TypeManager typeManager,
            IdentifierMapping identifierMapping,
            RemoteQueryModifier queryModifier)
    {
        super(connectionFactory, utcConnections, queryBuilder, config.getJdbcTypesMappedToVarchar(), identifierMapping, queryModifier);
        this.readMappings = new ReadMappings(typeManager.getType(new TypeDescriptor(StandardTypes.JSON)));
        this.statistics = statisticsConfig.isEnabled() ? Optional.of(new TableStatisticsReader(connectionFactory)) : Optional.empty();
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
        return metadata.getTables(
                schemaName.orElse(null),
                null,
                escapeObjectNameForMetadataQuery(tableName, metadata.getSearchStringEscape()).orElse(null),
                getTableTypes().map(types -> types.toArray(String[]::new)).orElse(null));
    }

    /** All columns of a schema, or of all schemas, by one statement. */
    @Override
    protected ResultSet getAllTableColumns(Connection connection, Optional<String> schemaName)
            throws SQLException
    {
        return connection.getMetaData().getColumns(schemaName.orElse(null), null, null, null);
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
        return statistics.get().read(session, handle, getColumns(
                session,
                handle.getRequiredNamedRelation().getSchemaTableName(),
                handle.getRequiredNamedRelation().getRemoteTableName()));
    }

    @Override
    public Optional<ColumnMapping> toColumnMapping(ConnectorSession session, Connection connection, JdbcTypeHandle typeHandle)
    {
        Optional<ColumnMapping> forced = getForcedMappingToVarchar(typeHandle);
        if (forced.isPresent()) {
            return forced;
        }
        Optional<ColumnMapping> mapping = readMappings.toColumnMapping(session, typeHandle);
        if (mapping.isEmpty() && getUnsupportedTypeHandling(session) == CONVERT_TO_VARCHAR) {
            return mapToUnboundedVarchar(typeHandle);
        }
        return mapping;
    }

    @Override
    public WriteMapping toWriteMapping(ConnectorSession session, Type type)
    {
        return WriteMappings.toWriteMapping(type);
    }

    @Override
    protected Optional<BiFunction<String, Long, String>> limitFunction()
    {
        return Optional.of((sql, limit) -> sql + " LIMIT " + limit);
    }

    /** A scan with a limit is always one split: see AccessPath. */
    @Override
    public boolean isLimitGuaranteed(ConnectorSession session)
    {
        return true;
    }

    @Override
    public boolean supportsTopN(ConnectorSession session, JdbcTableHandle handle, List<JdbcSortItem> sortOrder)
    {
        return sortOrder.stream().map(JdbcSortItem::column).allMatch(MysqlPqClient::isOrderedAlike);
    }

    // Only MySQL's collations order strings as MySQL does, and values that reach Trino rounded tie there and not in MySQL.
    private static boolean isOrderedAlike(JdbcColumnHandle column)
    {
        return switch (column.getColumnType()) {
            case CharType _,VarcharType _,RealType _ -> false;
            case DecimalType _ -> column.getJdbcTypeHandle().columnSize().orElse(0) <= Decimals.MAX_PRECISION;
            default -> true;
        };
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
        String column = quoted(item.column().getColumnName());
        return switch (item.sortOrder()) {
            case ASC_NULLS_FIRST -> Stream.of(column + " ASC");
            case DESC_NULLS_LAST -> Stream.of(column + " DESC");
            case ASC_NULLS_LAST -> Stream.of("ISNULL(" + column + ") ASC", column + " ASC");
            case DESC_NULLS_FIRST -> Stream.of("ISNULL(" + column + ") DESC", column + " DESC");
        };
    }

    /** A scan with a limit is always one split: see AccessPath. */
    @Override
    public boolean isTopNGuaranteed(ConnectorSession session)
    {
        return true;
    }

    // TODO part 3: push aggregations that are exactly right, as one split. Without aggregate functions this is DISTINCT.
    @Override
    public boolean supportsAggregationPushdown(
            ConnectorSession session,
            JdbcTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets)
    {
        return false;
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
