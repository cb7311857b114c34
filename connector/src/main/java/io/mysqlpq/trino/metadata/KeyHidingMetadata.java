package io.mysqlpq.trino.metadata;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.tables.GeneratedKeys;
import io.mysqlpq.trino.write.WriteSession;
import io.trino.plugin.jdbc.DefaultJdbcMetadata;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.TimestampTimeZoneDomain;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableLayout;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTableSchema;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SchemaTableName;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.TRANSACTION_ALREADY_ABORTED;
import static java.util.Objects.requireNonNull;

/**
 * Hides primary keys that MySQL generated. Users can name their columns, but these are not among a table's columns. A write leaves no
 * temporary table behind, whenever its transaction is rolled back.
 */
class KeyHidingMetadata
        extends DefaultJdbcMetadata
{
    private final GeneratedKeys generatedKeys;
    private final Map<RemoteTableName, Boolean> generated = new ConcurrentHashMap<>();
    private final Object writes = new Object();
    @GuardedBy("writes")
    private boolean rolledBack;

    KeyHidingMetadata(JdbcClient client, TimestampTimeZoneDomain timestampTimeZoneDomain, Set<JdbcQueryEventListener> listeners, GeneratedKeys generatedKeys)
    {
        super(client, timestampTimeZoneDomain, true, listeners);
        this.generatedKeys = requireNonNull(generatedKeys, "generatedKeys is null");
    }

    @Override
    public ConnectorTableSchema getTableSchema(ConnectorSession session, ConnectorTableHandle table)
    {
        ConnectorTableSchema schema = super.getTableSchema(session, table);
        // Other metadata, such as the primary key, costs statements.
        return schema.getColumns().stream().anyMatch(column -> GeneratedKeys.isNamedSo(column.getName())) ? getTableMetadata(session, table).getTableSchema() : schema;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata(ConnectorSession session, ConnectorTableHandle table)
    {
        ConnectorTableMetadata metadata = super.getTableMetadata(session, table);
        return new ConnectorTableMetadata(
                metadata.getTable(),
                described(session, table, metadata.getColumns()),
                metadata.getProperties(),
                metadata.getComment(),
                metadata.getCheckConstraints());
    }

    @Override
    public List<ColumnMetadata> getColumnMetadata(ConnectorSession session, JdbcTableHandle table)
    {
        return described(session, table, super.getColumnMetadata(session, table));
    }

    @Override
    public ColumnMetadata getColumnMetadata(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column)
    {
        return described(session, table, super.getColumnMetadata(session, table, column));
    }

    private List<ColumnMetadata> described(ConnectorSession session, ConnectorTableHandle table, List<ColumnMetadata> columns)
    {
        return columns.stream().map(column -> described(session, table, column)).collect(toImmutableList());
    }

    private ColumnMetadata described(ConnectorSession session, ConnectorTableHandle table, ColumnMetadata column)
    {
        return GeneratedKeys.isNamedSo(column.getName()) && isGenerated(session, table) ? hidden(column) : column;
    }

    private boolean isGenerated(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof JdbcTableHandle handle && handle.isNamedRelation() && isGenerated(session, handle.getRequiredNamedRelation().getRemoteTableName());
    }

    // Two threads may ask at the same time. If the map itself asked MySQL, one thread would keep others waiting, even for other tables.
    private boolean isGenerated(ConnectorSession session, RemoteTableName table)
    {
        Boolean known = generated.get(table);
        if (known != null) {
            return known;
        }
        boolean isGenerated = generatedKeys.isOf(session, table);
        generated.put(table, isGenerated);
        return isGenerated;
    }

    /** MySQL is asked for generated keys once, and only if some table has a column of that name. */
    @Override
    public Iterator<RelationColumnsMetadata> streamRelationColumns(ConnectorSession session, Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter)
    {
        List<RelationColumnsMetadata> relations = new ArrayList<>();
        super.streamRelationColumns(session, schemaName, relationFilter).forEachRemaining(relations::add);
        if (relations.stream().noneMatch(KeyHidingMetadata::mayHaveGeneratedKey)) {
            return relations.iterator();
        }
        Set<SchemaTableName> tables = generatedKeys.tables(session);
        return relations.stream()
                .map(relation -> mayHaveGeneratedKey(relation) && tables.contains(relation.name()) ? withoutGeneratedKey(relation) : relation)
                .iterator();
    }

    private static boolean mayHaveGeneratedKey(RelationColumnsMetadata relation)
    {
        return relation.tableColumns().stream().flatMap(List::stream).anyMatch(column -> GeneratedKeys.isNamedSo(column.getName()));
    }

    private static RelationColumnsMetadata withoutGeneratedKey(RelationColumnsMetadata relation)
    {
        return RelationColumnsMetadata.forTable(relation.name(), relation.tableColumns().orElseThrow().stream()
                .map(column -> GeneratedKeys.isNamedSo(column.getName()) ? hidden(column) : column)
                .collect(toImmutableList()));
    }

    @Override
    public ConnectorOutputTableHandle beginCreateTable(ConnectorSession session, ConnectorTableMetadata table, Optional<ConnectorTableLayout> layout, RetryMode retryMode, boolean replace)
    {
        // The table gets its name with its last row. Only if tasks are repeated, rows of some of them have to be told apart and left out.
        ConnectorSession write = retryMode == RetryMode.NO_RETRIES ? new WriteSession(session, false) : session;
        return beginWrite(() -> super.beginCreateTable(write, table, layout, retryMode, replace));
    }

    @Override
    public ConnectorInsertTableHandle beginInsert(ConnectorSession session, ConnectorTableHandle table, List<ColumnHandle> columns, RetryMode retryMode)
    {
        return beginWrite(() -> super.beginInsert(session, table, columns, retryMode));
    }

    @Override
    public ConnectorMergeTableHandle beginMerge(ConnectorSession session, ConnectorTableHandle table, Map<Integer, Collection<ColumnHandle>> updateColumns, RetryMode retryMode)
    {
        return beginWrite(() -> super.beginMerge(session, table, updateColumns, retryMode));
    }

    // base-jdbc makes a table, and then notes that a rollback has to drop it. A cancelled query is rolled back by another thread in between.
    private <T> T beginWrite(Supplier<T> write)
    {
        synchronized (writes) {
            if (rolledBack) {
                throw new TrinoException(TRANSACTION_ALREADY_ABORTED, "The query was cancelled or failed before its write began");
            }
            return write.get();
        }
    }

    @Override
    public void rollback()
    {
        synchronized (writes) {
            rolledBack = true;
            super.rollback();
        }
    }

    private static ColumnMetadata hidden(ColumnMetadata column)
    {
        return ColumnMetadata.builderFrom(column).setHidden(true).build();
    }
}
