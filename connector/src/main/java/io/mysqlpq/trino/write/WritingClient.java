package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.mysqlpq.trino.driver.UtcConnections;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.load.LoadingConnection;
import io.mysqlpq.trino.split.OldValues;
import io.mysqlpq.trino.types.InvalidDateHandling;
import io.mysqlpq.trino.write.WrittenColumns.Undone;
import io.trino.plugin.base.mapping.IdentifierMapping;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcAssignmentItem;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcMergeTableHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.JdbcSplit;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SchemaTableName;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.mysqlpq.trino.types.TypeSessionProperties.typeOptions;
import static io.trino.plugin.base.TemporaryTables.generateTemporaryTableName;
import static io.trino.plugin.base.TemporaryTables.temporaryTableNamePrefix;
import static io.trino.plugin.base.util.Closables.closeAllSuppress;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.plugin.jdbc.JdbcWriteSessionProperties.isNonTransactionalMerge;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static java.util.Objects.requireNonNull;

/** Writes rows: inserts, updates, deletes and merges. */
public abstract class WritingClient
        extends DefinitionClient
{
    private static final Logger log = Logger.get(WritingClient.class);

    private static final int NO_VALUE_FOR_COLUMN = 1364;
    private static final int VALUE_FOR_GENERATED_COLUMN = 3105;

    private final UtcConnections utcConnections;
    private final WrittenColumns writtenColumns;
    private final AbandonedTables abandonedTables;

    public WritingClient(
            ConnectionFactory connectionFactory,
            UtcConnections utcConnections,
            AbandonedTables abandonedTables,
            QueryBuilder queryBuilder,
            Set<String> jdbcTypesMappedToVarchar,
            IdentifierMapping identifierMapping,
            RemoteQueryModifier queryModifier)
    {
        super(connectionFactory, queryBuilder, jdbcTypesMappedToVarchar, identifierMapping, queryModifier);
        this.utcConnections = requireNonNull(utcConnections, "utcConnections is null");
        this.writtenColumns = new WrittenColumns(this::quoted, queryModifier);
        this.abandonedTables = requireNonNull(abandonedTables, "abandonedTables is null");
    }

    // A query whose tables are not known is SQL that the user wrote, and runs in the user's time zone.
    @Override
    public Connection getConnection(ConnectorSession session, JdbcSplit split, JdbcTableHandle table)
            throws SQLException
    {
        if (table.getAllReferencedTables().isEmpty()) {
            return super.getConnection(session, split, table);
        }
        Connection connection = utcConnections.openConnection(session);
        connection.setReadOnly(true);
        return connection;
    }

    @Override
    public Connection getConnection(ConnectorSession session, JdbcOutputTableHandle handle)
            throws SQLException
    {
        Connection connection = RowKey.comparesOrCopiesInstants(handle)
                ? utcConnections.openConnection(session)
                : super.getConnection(session, handle);
        if (handle.getTemporaryTableName().isPresent()) {
            return new LoadingConnection(session, connection, handle);
        }
        // Rows are written to the table itself, batch by batch. It is not locked between batches: DDL would wait, and all others behind it.
        RemoteTableName table = handle.getRemoteTableName();
        List<JdbcColumnHandle> columns = WrittenColumns.of(handle);
        CheckedCommits.Check check = checked -> writtenColumns.check(session, checked, table, quoted(table), columns, Undone.LAST_BATCH);
        try {
            // An engine without transactions could not take back what the first batch wrote.
            check.check(connection);
            return new LoadingConnection(session, new CheckedCommits(connection, check), handle);
        }
        catch (SQLException | RuntimeException e) {
            closeAllSuppress(e, connection);
            throw e;
        }
    }

    /** Finishes in one transaction with a look at the columns: they may have been altered while rows were staged. */
    @Override
    public void finishInsertTable(ConnectorSession session, JdbcOutputTableHandle handle, Set<Long> pageSinkIds)
    {
        if (handle.getTemporaryTableName().isEmpty()) {
            super.finishInsertTable(session, handle, pageSinkIds);
            return;
        }
        writeStaged(session, ImmutableList.of(handle), () -> {
            try {
                changeInTransaction(session, handle, WrittenColumns.of(handle), _ -> {}, MergeChanges.insertSqls(handle, pageSinkIds));
            }
            catch (SQLException e) {
                throw insertFailure(e);
            }
            catch (TrinoException e) {
                throw e.getCause() instanceof SQLException cause && cause.getErrorCode() == NO_VALUE_FOR_COLUMN ? insertFailure(cause) : e;
            }
        });
    }

    // In the words of a writer, where only the table itself refuses a row without a value.
    private static TrinoException insertFailure(SQLException cause)
    {
        return cause.getErrorCode() == NO_VALUE_FOR_COLUMN ? new TrinoException(JDBC_ERROR, "Failed to insert data: " + cause.getMessage(), cause) : new TrinoException(JDBC_ERROR, cause);
    }

    // Rows that are written stay so, whatever becomes of the temporary tables: who was told of a failure would write them again.
    private void writeStaged(ConnectorSession session, List<JdbcOutputTableHandle> staged, Runnable write)
    {
        try {
            write.run();
        }
        catch (RuntimeException e) {
            staged.forEach(table -> dropStaged(session, table, e::addSuppressed));
            throw e;
        }
        staged.forEach(table -> dropStaged(session, table, e -> log.warn(e, "Could not drop temporary table %s of query %s, whose rows are written", table.getTemporaryTableName().orElseThrow(), session.getQueryId())));
    }

    private void dropStaged(ConnectorSession session, JdbcOutputTableHandle staged, Consumer<RuntimeException> failed)
    {
        try {
            rollbackTemporaryTableCreation(session, staged);
        }
        catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    private void changeInTransaction(ConnectorSession session, JdbcOutputTableHandle written, List<JdbcColumnHandle> columns, CheckedCommits.Check before, List<String> sqls)
            throws SQLException
    {
        RemoteTableName table = written.getRemoteTableName();
        try (Connection connection = new CheckedCommits(getConnection(session, written), checked -> writtenColumns.check(session, checked, table, quoted(table), columns, Undone.ALL))) {
            // Rows that were looked at stay locked only so.
            execute(session, connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            connection.setAutoCommit(false);
            try {
                before.check(connection);
                for (String sql : sqls) {
                    execute(session, connection, sql);
                }
                connection.commit();
            }
            catch (SQLException | RuntimeException e) {
                CheckedCommits.rollBack(connection, e);
                throw e;
            }
        }
    }

    @Override
    public JdbcOutputTableHandle beginCreateTable(ConnectorSession session, ConnectorTableMetadata table, Consumer<Runnable> rollbackActions)
    {
        abandonedTables.drop(session, table.getTable().getSchemaName());
        return super.beginCreateTable(session, table, rollbackActions);
    }

    @Override
    public void commitCreateTable(ConnectorSession session, JdbcOutputTableHandle handle, Set<Long> pageSinkIds)
    {
        super.commitCreateTable(session, handle, pageSinkIds);
        if (handle.getTemporaryTableName().isPresent() && handle.getPageSinkIdColumnName().isEmpty()) {
            countRows(session, handle.getRemoteTableName());
        }
    }

    // InnoDB takes a table that got another name for an empty one, until many of its rows have changed.
    private void countRows(ConnectorSession session, RemoteTableName table)
    {
        try (Connection connection = connectionFactory.openConnection(session)) {
            execute(session, connection, "ANALYZE TABLE " + quoted(table));
        }
        catch (SQLException | RuntimeException e) {
            log.warn(e, "Could not run ANALYZE TABLE on the new table %s: queries are planned as if it were empty", table);
        }
    }

    @Override
    protected void dropTable(ConnectorSession session, RemoteTableName table, boolean temporary)
    {
        if (temporary) {
            dropTemporaryTable(session, table);
        }
        else {
            super.dropTable(session, table, false);
        }
    }

    // A statement of the write, which was cancelled, may still use the table. No other client waits behind this.
    private void dropTemporaryTable(ConnectorSession session, RemoteTableName table)
    {
        try (Connection connection = connectionFactory.openConnection(session)) {
            execute(session, connection, "SET @before = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = CAST(LEAST(@@GLOBAL.lock_wait_timeout, 3600) AS UNSIGNED)");
            try {
                execute(session, connection, "DROP TABLE IF EXISTS " + quoted(table));
            }
            finally {
                execute(session, connection, "SET SESSION lock_wait_timeout = @before");
            }
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, e);
        }
    }

    @Override
    public OptionalLong delete(ConnectorSession session, JdbcTableHandle handle)
    {
        return changeRows(session, handle, connection -> queryBuilder.prepareDeleteQuery(
                this,
                session,
                connection,
                handle.getRequiredNamedRelation(),
                handle.getConstraint(),
                getAdditionalPredicate(handle.getConstraintExpressions(), Optional.empty())));
    }

    @Override
    public OptionalLong update(ConnectorSession session, JdbcTableHandle handle)
    {
        try {
            return changeRows(session, handle, connection -> queryBuilder.prepareUpdateQuery(
                    this,
                    session,
                    connection,
                    handle.getRequiredNamedRelation(),
                    handle.getConstraint(),
                    getAdditionalPredicate(handle.getConstraintExpressions(), Optional.empty()),
                    handle.getUpdateAssignments()));
        }
        catch (TrinoException e) {
            if (e.getCause() instanceof SQLException cause && cause.getErrorCode() == VALUE_FOR_GENERATED_COLUMN) {
                RemoteTableName table = handle.getRequiredNamedRelation().getRemoteTableName();
                columnRules(session, table).check(table, handle.getUpdateAssignments().stream().map(JdbcAssignmentItem::column).collect(toImmutableList()));
            }
            throw e;
        }
    }

    // The columns are looked at last: a lock for reading would have to be made one for writing, and DDL that came in between would be a deadlock.
    private OptionalLong changeRows(ConnectorSession session, JdbcTableHandle handle, Function<Connection, PreparedQuery> query)
    {
        checkArgument(handle.getLimit().isEmpty() && handle.getSortOrder().isEmpty() && handle.getAuthorization().isEmpty(), "More is pushed down than an UPDATE or DELETE can have: %s", handle);
        String table = quoted(handle.getRequiredNamedRelation().getRemoteTableName());
        try (Connection connection = new CheckedCommits(
                comparesInstants(handle) ? utcConnections.openConnection(session) : connectionFactory.openConnection(session),
                checked -> writtenColumns.check(session, checked, handle, table))) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = queryBuilder.prepareStatement(this, session, connection, query.apply(connection), Optional.empty())) {
                long rows = statement.executeUpdate();
                connection.commit();
                return OptionalLong.of(rows);
            }
            catch (SQLException | RuntimeException e) {
                CheckedCommits.rollBack(connection, e);
                throw e;
            }
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, withWayOut(e));
        }
    }

    private static boolean comparesInstants(JdbcTableHandle table)
    {
        return RowKey.comparesInstants(table) || OldValues.filteredBy(table).stream().map(JdbcColumnHandle::getColumnType).anyMatch(RowKey::isInstant);
    }

    @Override
    public boolean supportsMerge()
    {
        return true;
    }

    /** The columns that the table has by now, whatever the query knows of it. */
    protected abstract List<JdbcColumnHandle> currentColumns(ConnectorSession session, SchemaTableName name, RemoteTableName table);

    @Override
    public JdbcMergeTableHandle beginMerge(
            ConnectorSession session,
            JdbcTableHandle handle,
            Map<Integer, Collection<ColumnHandle>> updateColumns,
            Consumer<Runnable> rollbackActions,
            RetryMode retryMode)
    {
        JdbcNamedRelationHandle relation = handle.getRequiredNamedRelation();
        RemoteTableName table = relation.getRemoteTableName();
        abandonedTables.drop(session, table.getCatalogName().orElseThrow());
        List<JdbcColumnHandle> all = currentColumns(session, relation.getSchemaTableName(), table);
        List<String> keyNames = keyColumnNames(session, table);
        List<JdbcColumnHandle> key = wholeKey(keyNames, all);
        RowKey.check(table, keyNames, key);
        ColumnRules rules = columnRules(session, table);
        updateColumns.values().forEach(columns -> rules.check(table, columns.stream().map(JdbcColumnHandle.class::cast).collect(toImmutableList())));

        List<JdbcColumnHandle> shown = generatedKeys.withoutThem(session, table, all);
        List<JdbcColumnHandle> written = rules.writable(shown);
        List<JdbcColumnHandle> old = oldColumns(all, key);
        if (!OldValues.isRowIdOf(handle, key, old)) {
            throw new TrinoException(MYSQL_PQ_TABLE_CHANGED, "Table %s was altered after the query was planned: it has other columns, or another primary key. Run the query again".formatted(table));
        }
        // Rows that are changed as they come are not compared.
        RowChangeTables tables = new RowChangeTables(key, new KeptValues(isNonTransactionalMerge(session) ? ImmutableList.of() : ComparedColumn.among(OldValues.readBy(handle, old))));

        JdbcTableHandle plainTable = new JdbcTableHandle(relation.getSchemaTableName(), table, Optional.empty());
        // All changes of a MERGE become visible at once.
        JdbcOutputTableHandle inserts = beginStaging(isNonTransactionalMerge(session) ? session : new WriteSession(session, true), plainTable, written, "Set non_transactional_merge and non_transactional_insert to true: then the write needs no temporary table, and does not check for changes by others");
        rollbackActions.accept(() -> rollbackTemporaryTableCreation(session, inserts));
        return new RowChangeHandle(
                handle,
                inserts,
                beginUpdates(session, table, written, tables, updateColumns, rollbackActions),
                beginDeletes(session, table, tables, rollbackActions),
                key,
                written,
                updateColumns,
                shown,
                old,
                tables.old().compared().stream().map(compared -> compared.column().getColumnName()).collect(toImmutableSet()));
    }

    /** Columns that a row's id has fields for beside its key. */
    public static List<JdbcColumnHandle> oldColumns(List<JdbcColumnHandle> columns, List<JdbcColumnHandle> key)
    {
        return ComparedColumn.columns(ComparedColumn.among(columns.stream().filter(column -> !key.contains(column)).collect(toImmutableList())));
    }

    private ColumnRules columnRules(ConnectorSession session, RemoteTableName table)
    {
        try (Connection connection = connectionFactory.openConnection(session)) {
            return ColumnRules.read(connection, table, sql -> queryModifier.apply(session, sql));
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read the columns of table %s: %s".formatted(table, ErrorHints.explain(e, "reply-timeout")), e);
        }
    }

    /** Writes no values of a key that MySQL generates: Trino does not see its column. */
    @Override
    public JdbcOutputTableHandle beginInsertTable(ConnectorSession session, JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        RemoteTableName name = table.asPlainTable().getRemoteTableName();
        abandonedTables.drop(session, name.getCatalogName().orElseThrow());
        columnRules(session, name).check(name, columns);
        return beginStaging(session, table, generatedKeys.withoutThem(session, name, columns), "Insert into fewer columns, or set non_transactional_insert to true: then the write needs no temporary table");
    }

    private JdbcOutputTableHandle beginStaging(ConnectorSession session, JdbcTableHandle table, List<JdbcColumnHandle> columns, String hint)
    {
        try {
            return super.beginInsertTable(session, table, columns);
        }
        catch (TrinoException e) {
            throw e.getCause() instanceof SQLException cause && MysqlError.isRowTooLarge(cause) ? rowsTooLarge(table.asPlainTable().getRemoteTableName(), cause, hint) : e;
        }
    }

    private static TrinoException rowsTooLarge(RemoteTableName table, SQLException cause, String hint)
    {
        return new TrinoException(
                NOT_SUPPORTED,
                "The rows for table %s do not fit into a temporary table with one more column: %s. InnoDB allows 1017 columns, and rows of about half a page. %s".formatted(
                        table,
                        ErrorHints.firstLine(cause).replaceFirst("\\.$", ""),
                        hint),
                cause);
    }

    /** Adds the writer's id to a temporary table, which nobody else would drop if that fails. Columns of other tables are added above. */
    @Override
    protected void addColumn(ConnectorSession session, Connection connection, RemoteTableName table, ColumnMetadata column)
            throws SQLException
    {
        try {
            super.addColumn(session, connection, table, column);
        }
        catch (SQLException | RuntimeException e) {
            if (table.getTableName().startsWith(temporaryTableNamePrefix(session.getQueryId()))) {
                closeAllSuppress(e, () -> dropTable(session, table, true));
            }
            throw e;
        }
    }

    /** Adds the columns that each row must have a value for, so that a row without one is refused before it reaches the table. */
    @Override
    protected void copyTableSchema(ConnectorSession session, Connection connection, String catalogName, String schemaName, String tableName, String newTableName, List<String> columnNames)
    {
        RemoteTableName table = new RemoteTableName(Optional.of(schemaName), Optional.empty(), tableName);
        try {
            Set<String> required = ColumnRules.read(connection, table, sql -> queryModifier.apply(session, sql)).required();
            super.copyTableSchema(
                    session,
                    connection,
                    catalogName,
                    schemaName,
                    tableName,
                    newTableName,
                    Stream.concat(columnNames.stream(), required.stream()).distinct().collect(toImmutableList()));
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read the columns of table %s: %s".formatted(table, ErrorHints.explain(e, "reply-timeout")), e);
        }
    }

    private Map<Integer, JdbcOutputTableHandle> beginUpdates(
            ConnectorSession session,
            RemoteTableName table,
            List<JdbcColumnHandle> columns,
            RowChangeTables tables,
            Map<Integer, Collection<ColumnHandle>> updateColumns,
            Consumer<Runnable> rollbackActions)
    {
        if (isNonTransactionalMerge(session)) {
            return ImmutableMap.of();
        }
        ImmutableMap.Builder<Integer, JdbcOutputTableHandle> changes = ImmutableMap.builder();
        updateColumns.forEach((updateCase, updated) -> changes.put(updateCase, createChangesTable(session, table, tables, columns.stream().filter(updated::contains).collect(toImmutableList()), rollbackActions)));
        return changes.buildOrThrow();
    }

    private Optional<JdbcOutputTableHandle> beginDeletes(ConnectorSession session, RemoteTableName table, RowChangeTables tables, Consumer<Runnable> rollbackActions)
    {
        return isNonTransactionalMerge(session) ? Optional.empty() : Optional.of(createChangesTable(session, table, tables, ImmutableList.of(), rollbackActions));
    }

    private JdbcOutputTableHandle createChangesTable(ConnectorSession session, RemoteTableName table, RowChangeTables tables, List<JdbcColumnHandle> updated, Consumer<Runnable> rollbackActions)
    {
        JdbcOutputTableHandle changes = tables.handle(table, generateTemporaryTableName(session), updated);
        try {
            execute(session, tables.createSql(changes, updated));
        }
        catch (TrinoException e) {
            throw e.getCause() instanceof SQLException cause && MysqlError.isRowTooLarge(cause) ? tooLarge(table, cause) : e;
        }
        rollbackActions.accept(() -> rollbackTemporaryTableCreation(session, changes));
        return changes;
    }

    private static TrinoException tooLarge(RemoteTableName table, SQLException cause)
    {
        return new TrinoException(
                NOT_SUPPORTED,
                "The changes of table %s do not fit into a temporary table of old and new values: %s. InnoDB allows 1017 columns, and rows of about half a page. Set fewer columns in one statement, or set non_transactional_merge to true: then the write needs no temporary table, and does not check for changes by others".formatted(
                        table,
                        ErrorHints.firstLine(cause).replaceFirst("\\.$", "")),
                cause);
    }

    @Override
    public void finishMerge(ConnectorSession session, JdbcMergeTableHandle handle, Set<Long> pageSinkIds)
    {
        if (handle.getDeleteOutputTableHandle().isEmpty()) {
            finishInsertTable(session, handle.getOutputTableHandle(), pageSinkIds);
            return;
        }
        writeStaged(session, MergeChanges.temporaryTables(handle), () -> applyChanges(session, (RowChangeHandle) handle, pageSinkIds));
    }

    private void applyChanges(ConnectorSession session, RowChangeHandle handle, Set<Long> pageSinkIds)
    {
        MergeChanges changes = new MergeChanges(handle, pageSinkIds, typeOptions(session).invalidDates() == InvalidDateHandling.NULL);
        RemoteTableName table = handle.getTableHandle().getRequiredNamedRelation().getRemoteTableName();
        try {
            changeInTransaction(
                    session,
                    handle.getOutputTableHandle(),
                    Stream.concat(WrittenColumns.of(handle.getOutputTableHandle()).stream(), handle.getPrimaryKeys().stream()).distinct().collect(toImmutableList()),
                    connection -> {
                        for (String sql : changes.conflictSqls()) {
                            checkNoConflict(session, connection, table, handle.getPrimaryKeys(), sql);
                        }
                    },
                    changes.applySqls());
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to merge rows into table %s: %s".formatted(table, ErrorHints.explain(e, "reply-timeout")), e);
        }
    }

    private void checkNoConflict(ConnectorSession session, Connection connection, RemoteTableName table, List<JdbcColumnHandle> key, String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                ResultSet conflict = statement.executeQuery(queryModifier.apply(session, sql))) {
            if (conflict.next()) {
                throw new TrinoException(TRANSACTION_CONFLICT, "The row %s of table %s was changed or deleted by another session after this statement had read it. Nothing was written. Run the statement again".formatted(
                        RowKey.text(key, conflict),
                        table));
            }
        }
    }
}
