package io.mysqlpq.trino.write;

import com.google.inject.Inject;
import io.trino.plugin.jdbc.JdbcAssignmentItem;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.JdbcPageSink;
import io.trino.plugin.jdbc.JdbcPageSinkProvider;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.QueryParameter;
import io.trino.plugin.jdbc.SinkSqlProvider;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorPageSinkId;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

/** Opens writers of rows: base-jdbc's, and for changed rows this connector's over them. */
public final class RowChangeSinks
        extends JdbcPageSinkProvider
{
    // Values are set row by row.
    private static final Domain SOME_VALUE = Domain.singleValue(BIGINT, 0L);

    private final JdbcClient client;
    private final RemoteQueryModifier queryModifier;
    private final QueryBuilder queryBuilder;

    @Inject
    RowChangeSinks(JdbcClient client, RemoteQueryModifier queryModifier, QueryBuilder queryBuilder)
    {
        super(client, queryModifier, queryBuilder);
        this.client = requireNonNull(client, "client is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.queryBuilder = requireNonNull(queryBuilder, "queryBuilder is null");
    }

    @Override
    public ConnectorMergeSink createMergeSink(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorMergeTableHandle merge,
            Optional<ConnectorTableCredentials> tableCredentials,
            ConnectorPageSinkId id)
    {
        RowChangeHandle handle = (RowChangeHandle) merge;
        Map<Integer, LazyPageSink> updates = new TreeMap<>();
        handle.getUpdateCaseColumns().keySet().forEach(number -> updates.put(number, updates(session, handle, number, id)));
        return new RowChangeSink(handle, id, inserts(session, handle.getOutputTableHandle(), id), deletes(session, handle, id), updates);
    }

    private LazyPageSink inserts(ConnectorSession session, JdbcOutputTableHandle rows, ConnectorPageSinkId id)
    {
        return new LazyPageSink(() -> new JdbcPageSink(session, rows, client, id, queryModifier, JdbcClient::buildInsertSql));
    }

    private LazyPageSink deletes(ConnectorSession session, RowChangeHandle handle, ConnectorPageSinkId id)
    {
        return handle.getDeleteOutputTableHandle()
                .map(changes -> inserts(session, changes, id))
                .orElseGet(() -> changesByKey(session, handle, Stream.of(), id, (connection, key) -> queryBuilder.prepareDeleteQuery(client, session, connection, relation(handle), key, Optional.empty())));
    }

    private LazyPageSink updates(ConnectorSession session, RowChangeHandle handle, int number, ConnectorPageSinkId id)
    {
        JdbcOutputTableHandle changes = handle.getUpdateOutputTableHandle().get(number);
        if (changes != null) {
            return inserts(session, changes, id);
        }
        List<JdbcColumnHandle> updated = handle.updatedColumns(number);
        List<JdbcAssignmentItem> assignments = updated.stream().map(column -> new JdbcAssignmentItem(column, new QueryParameter(BIGINT, Optional.empty()))).collect(toImmutableList());
        return changesByKey(session, handle, updated.stream(), id, (connection, key) -> queryBuilder.prepareUpdateQuery(client, session, connection, relation(handle), key, Optional.empty(), assignments));
    }

    private LazyPageSink changesByKey(ConnectorSession session, RowChangeHandle handle, Stream<JdbcColumnHandle> updated, ConnectorPageSinkId id, BiFunction<Connection, TupleDomain<ColumnHandle>, PreparedQuery> query)
    {
        List<JdbcColumnHandle> columns = Stream.concat(updated, handle.getPrimaryKeys().stream()).collect(toImmutableList());
        ChangesByKey rows = new ChangesByKey(relation(handle).getRemoteTableName(), columns);
        TupleDomain<ColumnHandle> key = TupleDomain.withColumnDomains(handle.getPrimaryKeys().stream().collect(toImmutableMap(ColumnHandle.class::cast, _ -> SOME_VALUE)));
        SinkSqlProvider sql = (_, _, _) -> {
            try (Connection connection = client.getConnection(session)) {
                return query.apply(connection, key).query();
            }
            catch (SQLException e) {
                throw new TrinoException(JDBC_ERROR, e);
            }
        };
        return new LazyPageSink(() -> new JdbcPageSink(session, rows, client, id, queryModifier, sql));
    }

    private static JdbcNamedRelationHandle relation(RowChangeHandle handle)
    {
        return handle.getTableHandle().getRequiredNamedRelation();
    }
}
