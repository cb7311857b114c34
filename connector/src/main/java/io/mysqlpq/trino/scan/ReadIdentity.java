package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.aggregation.MergedAggregation;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.connection.ReadServer;
import io.mysqlpq.trino.expression.RowExpressions;
import io.mysqlpq.trino.nativescan.NativeFilter;
import io.mysqlpq.trino.sharing.ReadKey;
import io.mysqlpq.trino.sharing.SharedReads;
import io.mysqlpq.trino.snapshot.SnapshotSessionProperties;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.split.SplitRange;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.mysqlpq.trino.sharing.SharingSessionProperties.isReadReuseEnabled;
import static java.util.Objects.requireNonNull;

/** Says whether queries may share a read, and which reads give the same rows. */
final class ReadIdentity
{
    private final SharedReads reads;
    private final ReadServer server;
    private final List<PropertyMetadata<?>> properties;

    @Inject
    ReadIdentity(SharedReads reads, ReadServer server, Set<SessionPropertiesProvider> properties)
    {
        this.reads = requireNonNull(reads, "reads is null");
        this.server = requireNonNull(server, "server is null");
        this.properties = properties.stream()
                // Which snapshot a query reads in is not what it reads.
                .filter(provider -> !(provider instanceof SnapshotSessionProperties))
                .flatMap(provider -> provider.getSessionProperties().stream())
                .collect(toImmutableList());
    }

    /** Returns the snapshot's secret if other queries read in the snapshot too. */
    Optional<String> sharedSnapshot(MysqlPqSplit split)
    {
        return split.snapshot().filter(token -> reads.isEnabled() && token.isOfGroup()).map(SnapshotToken::value);
    }

    /** Whether the split's pages may be kept for queries of other snapshots, and theirs taken for it. */
    boolean isReused(ConnectorSession session, MysqlPqSplit split)
    {
        // All else is read by SQL.
        return reads.isEnabled() && isReadReuseEnabled(session) && split.nativeFilter().isPresent() && split.snapshot().filter(token -> token.features().givesValidators()).isPresent();
    }

    ReadKey ofRows(Optional<String> snapshot, ConnectorSession session, MysqlPqSplit split, JdbcTableHandle table, List<JdbcColumnHandle> columns, TupleDomain<ColumnHandle> filter)
    {
        return new ReadKey(
                snapshot,
                new Rows(server, split.range(), split.nativeFilter(), split.expressions(), split.groups(), table, columns, types(columns), filter, settings(session)),
                split.getRetainedSizeInBytes() + bytes(table) + bytes(filter));
    }

    /** @param range a split of one of the aggregation's ranges */
    ReadKey ofGroups(Optional<String> snapshot, ConnectorSession session, MysqlPqSplit range, MergedAggregation aggregation)
    {
        return new ReadKey(
                snapshot,
                new Groups(server, range.range(), range.nativeFilter(), range.expressions(), aggregation, settings(session)),
                range.getRetainedSizeInBytes() + bytes(aggregation.table()));
    }

    // What may be long: lists of values, and the SQL of what was pushed down.
    private static long bytes(JdbcTableHandle table)
    {
        return bytes(table.getConstraint()) +
                table.getConstraintExpressions().stream().mapToLong(expression -> bytes(expression.expression(), expression.parameters())).sum() +
                (table.getRelationHandle() instanceof JdbcQueryRelationHandle query ? bytes(query.getPreparedQuery().query(), query.getPreparedQuery().parameters()) : 0);
    }

    private static long bytes(TupleDomain<ColumnHandle> filter)
    {
        return filter.getRetainedSizeInBytes(column -> ((JdbcColumnHandle) column).getRetainedSizeInBytes());
    }

    private static long bytes(String sql, List<QueryParameter> parameters)
    {
        return estimatedSizeOf(sql) + parameters.stream().mapToLong(parameter -> parameter.getValueBlock().getRetainedSizeInBytes()).sum();
    }

    // Handles of columns are equal if their names are.
    private static List<Type> types(List<JdbcColumnHandle> columns)
    {
        return columns.stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList());
    }

    // Some decide which values Trino gets, such as invalid_date_handling. The others are the same wherever sharing is worth it.
    private List<Object> settings(ConnectorSession session)
    {
        return properties.stream()
                .map(property -> Optional.ofNullable(session.getProperty(property.getName(), property.getJavaType())))
                .collect(toImmutableList());
    }

    private record Rows(
            ReadServer server,
            Optional<SplitRange> range,
            Optional<NativeFilter> nativeFilter,
            RowExpressions expressions,
            Optional<WholeGroupAggregation> groups,
            JdbcTableHandle table,
            List<JdbcColumnHandle> columns,
            List<Type> types,
            TupleDomain<ColumnHandle> filter,
            List<Object> settings)
    {
        private Rows
        {
            requireNonNull(server, "server is null");
            requireNonNull(range, "range is null");
            requireNonNull(nativeFilter, "nativeFilter is null");
            requireNonNull(expressions, "expressions is null");
            requireNonNull(groups, "groups is null");
            requireNonNull(table, "table is null");
            columns = ImmutableList.copyOf(columns);
            types = ImmutableList.copyOf(types);
            requireNonNull(filter, "filter is null");
            settings = ImmutableList.copyOf(settings);
        }
    }

    private record Groups(
            ReadServer server,
            Optional<SplitRange> range,
            Optional<NativeFilter> nativeFilter,
            RowExpressions expressions,
            MergedAggregation aggregation,
            List<Object> settings)
    {
        private Groups
        {
            requireNonNull(server, "server is null");
            requireNonNull(range, "range is null");
            requireNonNull(nativeFilter, "nativeFilter is null");
            requireNonNull(expressions, "expressions is null");
            requireNonNull(aggregation, "aggregation is null");
            settings = ImmutableList.copyOf(settings);
        }
    }
}
