package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.tables.GeneratedKeys;
import io.mysqlpq.trino.tables.MetadataNames;
import io.trino.plugin.base.mapping.IdentifierMapping;
import io.trino.plugin.base.mapping.RemoteIdentifiers;
import io.trino.plugin.jdbc.BaseJdbcClient;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcOutputTableHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ColumnPosition;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.Type;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.SCHEMA_NOT_EMPTY;
import static java.util.stream.Collectors.joining;

/** Changes the definition of tables and databases, and reads their primary keys. */
abstract class DefinitionClient
        extends BaseJdbcClient
{
    private static final String SQL_STATE_TABLE_EXISTS = "42S01";
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    final GeneratedKeys generatedKeys;

    DefinitionClient(
            ConnectionFactory connectionFactory,
            QueryBuilder queryBuilder,
            Set<String> jdbcTypesMappedToVarchar,
            IdentifierMapping identifierMapping,
            RemoteQueryModifier queryModifier)
    {
        super("`", connectionFactory, queryBuilder, jdbcTypesMappedToVarchar, identifierMapping, queryModifier, true);
        this.generatedKeys = new GeneratedKeys(connectionFactory, queryModifier);
    }

    @Override
    public void createTable(ConnectorSession session, ConnectorTableMetadata table)
    {
        try {
            createTable(session, table, table.getTable().getTableName());
        }
        catch (SQLException e) {
            throw new TrinoException(SQL_STATE_TABLE_EXISTS.equals(e.getSQLState()) ? ALREADY_EXISTS : JDBC_ERROR, e);
        }
    }

    // Tasks that are tried again write some rows twice into the temporary table.
    @Override
    protected JdbcOutputTableHandle createTable(ConnectorSession session, ConnectorTableMetadata table, String targetName, Optional<ColumnMetadata> pageSinkId)
            throws SQLException
    {
        return super.createTable(session, pageSinkId.isPresent() ? PrimaryKeyProperty.withoutKey(table) : PrimaryKeyProperty.withKeyColumns(table), targetName, pageSinkId);
    }

    @Override
    protected List<String> createTableSqls(RemoteTableName table, List<String> columns, ConnectorTableMetadata metadata)
    {
        ImmutableList.Builder<String> definitions = ImmutableList.<String>builder().addAll(columns);
        List<String> key = PrimaryKeyProperty.of(metadata.getProperties());
        if (!key.isEmpty()) {
            definitions.add("PRIMARY KEY (%s)".formatted(quotedList(key)));
        }
        return ImmutableList.of("CREATE TABLE %s (%s) COMMENT %s".formatted(quoted(table), String.join(", ", definitions.build()), textLiteral(metadata.getComment().orElse(""))));
    }

    private String quotedList(List<String> names)
    {
        return names.stream().map(this::quoted).collect(joining(", "));
    }

    // NULL is spelled out because TIMESTAMP columns are NOT NULL by default under some server settings.
    @Override
    protected String getColumnDefinitionSql(ConnectorSession session, ColumnMetadata column, String columnName)
    {
        String type = PrimaryKeyProperty.isKeyColumn(column)
                ? KeyColumnType.of(columnName, column.getType(), () -> toWriteMapping(session, column.getType()).getDataType())
                : toWriteMapping(session, column.getType()).getDataType();
        return "%s %s %s%s".formatted(
                quoted(columnName),
                type,
                column.isNullable() ? "NULL" : "NOT NULL",
                column.getComment().map(comment -> " COMMENT " + textLiteral(comment)).orElse(""));
    }

    @Override
    public void addColumn(ConnectorSession session, JdbcTableHandle handle, ColumnMetadata column, ColumnPosition position)
    {
        RemoteTableName table = handle.asPlainTable().getRemoteTableName();
        try (Connection connection = connectionFactory.openConnection(session)) {
            RemoteIdentifiers remote = getRemoteIdentifiers(connection);
            execute(session, connection, "ALTER TABLE %s ADD %s%s".formatted(
                    quoted(table),
                    getColumnDefinitionSql(session, column, getIdentifierMapping().toRemoteColumnName(remote, column.getName())),
                    switch (position) {
                        case ColumnPosition.First _ -> " FIRST";
                        case ColumnPosition.After after -> " AFTER " + quoted(getIdentifierMapping().toRemoteColumnName(remote, after.columnName()));
                        case ColumnPosition.Last _ -> "";
                    }));
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, e);
        }
    }

    @Override
    public void setTableComment(ConnectorSession session, JdbcTableHandle handle, Optional<String> comment)
    {
        execute(session, "ALTER TABLE %s COMMENT = %s".formatted(quoted(handle.asPlainTable().getRemoteTableName()), textLiteral(comment.orElse(""))));
    }

    private static String textLiteral(String value)
    {
        return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    @Override
    protected void execute(ConnectorSession session, Connection connection, String query)
            throws SQLException
    {
        try {
            super.execute(session, connection, query);
        }
        catch (SQLException e) {
            throw withWayOut(e);
        }
    }

    static SQLException withWayOut(SQLException error)
    {
        return error.getErrorCode() == LOCK_WAIT_TIMEOUT
                ? new SQLException("%s. Another statement or transaction locks the table or rows of it. Run the statement again when that has ended. To wait longer, raise table-lock-timeout for tables, and MySQL's innodb_lock_wait_timeout for rows".formatted(error.getMessage()), error.getSQLState(), error.getErrorCode(), error)
                : error;
    }

    @Override
    protected void dropSchema(ConnectorSession session, Connection connection, String schema, boolean cascade)
            throws SQLException
    {
        // MySQL drops a database with all its tables.
        if (!cascade) {
            try (ResultSet tables = getTables(connection, Optional.of(schema), Optional.empty())) {
                if (tables.next()) {
                    throw new TrinoException(SCHEMA_NOT_EMPTY, "Cannot drop non-empty schema '%s'".formatted(schema));
                }
            }
        }
        execute(session, connection, "DROP SCHEMA " + quoted(schema));
    }

    @Override
    public void renameSchema(ConnectorSession session, String schemaName, String newSchemaName)
    {
        throw new TrinoException(NOT_SUPPORTED, "This connector does not support renaming schemas");
    }

    @Override
    public void setColumnType(ConnectorSession session, JdbcTableHandle handle, JdbcColumnHandle column, Type type)
    {
        throw new TrinoException(NOT_SUPPORTED, "This connector does not support setting column types");
    }

    @Override
    public void dropNotNullConstraint(ConnectorSession session, JdbcTableHandle handle, JdbcColumnHandle column)
    {
        throw new TrinoException(NOT_SUPPORTED, "This connector does not support dropping a not null constraint");
    }

    @Override
    public void renameTable(ConnectorSession session, JdbcTableHandle handle, SchemaTableName newTableName)
    {
        RemoteTableName table = handle.asPlainTable().getRemoteTableName();
        renameTable(session, null, table.getCatalogName().orElse(null), table.getTableName(), newTableName);
    }

    /** The key as a table could be created with it: of columns that Trino sees, and if all of these can be in a key. */
    @Override
    public Map<String, Object> getTableProperties(ConnectorSession session, JdbcTableHandle handle)
    {
        if (!handle.isNamedRelation()) {
            return ImmutableMap.of();
        }
        RemoteTableName table = handle.getRequiredNamedRelation().getRemoteTableName();
        List<String> names = keyColumnNames(session, table);
        List<JdbcColumnHandle> key = names.isEmpty() ? ImmutableList.of() : visible(names, columns(session, table));
        boolean hidden = key.stream().map(JdbcColumnHandle::getColumnName).anyMatch(GeneratedKeys::isNamedSo) && generatedKeys.isOf(session, table);
        return key.isEmpty() || hidden || !key.stream().map(JdbcColumnHandle::getColumnType).allMatch(KeyColumnType::isPossible)
                ? ImmutableMap.of()
                : PrimaryKeyProperty.toProperties(key.stream().map(JdbcColumnHandle::getColumnName).map(getIdentifierMapping()::fromRemoteColumnName).collect(toImmutableList()));
    }

    private List<JdbcColumnHandle> columns(ConnectorSession session, RemoteTableName table)
    {
        return getColumns(session, new SchemaTableName(table.getCatalogName().orElseThrow(), table.getTableName()), table);
    }

    private static List<JdbcColumnHandle> visible(List<String> names, List<JdbcColumnHandle> columns)
    {
        Map<String, JdbcColumnHandle> byName = columns.stream().collect(toImmutableMap(JdbcColumnHandle::getColumnName, column -> column));
        return names.stream().filter(byName::containsKey).map(byName::get).collect(toImmutableList());
    }

    /** The primary key's columns in its order; none where Trino does not see one of them. */
    @Override
    public List<JdbcColumnHandle> getPrimaryKeys(ConnectorSession session, RemoteTableName table)
    {
        List<String> names = keyColumnNames(session, table);
        return names.isEmpty() ? ImmutableList.of() : wholeKey(names, columns(session, table));
    }

    static List<JdbcColumnHandle> wholeKey(List<String> names, List<JdbcColumnHandle> columns)
    {
        List<JdbcColumnHandle> visible = visible(names, columns);
        return visible.size() == names.size() ? visible : ImmutableList.of();
    }

    List<String> keyColumnNames(ConnectorSession session, RemoteTableName table)
    {
        try (Connection connection = connectionFactory.openConnection(session);
                ResultSet columns = primaryKeys(connection.getMetaData(), table)) {
            Map<Integer, String> names = new TreeMap<>();
            while (columns.next()) {
                names.put(columns.getInt("KEY_SEQ"), columns.getString("COLUMN_NAME"));
            }
            return ImmutableList.copyOf(names.values());
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read the primary key of table %s: %s".formatted(table, ErrorHints.explain(e, "reply-timeout")), e);
        }
    }

    private static ResultSet primaryKeys(DatabaseMetaData metadata, RemoteTableName table)
            throws SQLException
    {
        MetadataNames names = new MetadataNames(metadata);
        return metadata.getPrimaryKeys(table.getCatalogName().map(names::literal).orElse(null), null, names.literal(table.getTableName()));
    }
}
