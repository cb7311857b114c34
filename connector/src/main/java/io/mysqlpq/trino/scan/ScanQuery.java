package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.airlift.units.Duration;
import io.mysqlpq.trino.dictionary.DictionaryKey;
import io.mysqlpq.trino.key.RangePredicate;
import io.mysqlpq.trino.split.IndexedRelation;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.JdbcSplit;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static java.util.Objects.requireNonNull;

/** Prepares the SQL of one split: the table's filters, its range, and the dynamic filters known when it opens. */
final class ScanQuery
{
    private final JdbcClient client;
    private final RemoteQueryModifier queryModifier;
    private final ConnectorSession session;
    private final JdbcTableHandle table;
    private final List<JdbcColumnHandle> columns;
    private final TableAccess access;
    private final Optional<ReadFence> fence;

    /** @param scanWaitTimeout longest wait for MySQL to allow the scan */
    ScanQuery(
            JdbcClient client,
            RemoteQueryModifier queryModifier,
            ConnectorSession session,
            MysqlPqSplit split,
            JdbcTableHandle table,
            List<JdbcColumnHandle> columns,
            Duration scanWaitTimeout)
    {
        this.client = requireNonNull(client, "client is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.session = requireNonNull(session, "session is null");
        this.table = withRange(client, split, table);
        this.columns = ImmutableList.copyOf(columns);
        this.access = new TableAccess(split.tables(), client::quoted, this::withComment);
        this.fence = fence(split, scanWaitTimeout);
    }

    // What is read whole at a moment of its own is one statement, which needs none.
    private Optional<ReadFence> fence(MysqlPqSplit split, Duration scanWaitTimeout)
    {
        return split.snapshot().<ReadFence>map(token -> new SnapshotFence(token, access, scanWaitTimeout))
                .or(() -> split.range().map(read -> DictionaryKey.isDefinition(read.definition()) ? new DictionaryFence(read, access) : new DefinitionFence(read, access)));
    }

    private static JdbcTableHandle withRange(JdbcClient client, MysqlPqSplit split, JdbcTableHandle table)
    {
        Optional<ParameterizedExpression> range = split.range()
                .flatMap(read -> new RangePredicate(read.key(), client::quoted).toSql(read.range()))
                .map(sql -> new ParameterizedExpression(sql, ImmutableList.of()));
        JdbcRelationHandle relation = split.range()
                .<JdbcRelationHandle>map(read -> new IndexedRelation(table.getRequiredNamedRelation(), read.partitions(), read.key().index()))
                .orElse(table.getRelationHandle());
        return new JdbcTableHandle(
                relation,
                table.getConstraint(),
                ImmutableList.<ParameterizedExpression>builder().addAll(table.getConstraintExpressions()).addAll(range.stream().iterator()).build(),
                table.getSortOrder(),
                table.getLimit(),
                table.getColumns(),
                table.getOtherReferencedTables(),
                table.getNextSyntheticColumnId(),
                table.getAuthorization(),
                table.getUpdateAssignments());
    }

    List<JdbcColumnHandle> columns()
    {
        return columns;
    }

    Optional<ReadFence> fence()
    {
        return fence;
    }

    /** What is read, for messages. */
    String tableNames()
    {
        return access.names();
    }

    PreparedStatement prepare(Connection connection, TupleDomain<ColumnHandle> dynamicFilter)
            throws SQLException
    {
        return client.buildSql(session, connection, new JdbcSplit(Optional.empty()), table.intersectedWithConstraint(dynamicFilter), columns);
    }

    List<ColumnDecoder> decoders(Connection connection)
    {
        return columns.stream()
                .map(JdbcColumnHandle::getJdbcTypeHandle)
                .map(type -> ColumnDecoders.decoder(type, client.toColumnMapping(session, connection, type)
                        .orElseThrow(() -> new TrinoException(GENERIC_INTERNAL_ERROR, "A column has the unsupported type " + type))))
                .collect(toImmutableList());
    }

    String withComment(String sql)
    {
        return queryModifier.apply(session, sql);
    }
}
