package io.mysqlpq.trino.operations;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.connection.DriverLogin;
import io.mysqlpq.trino.connection.MarkedStatement;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.operations.StatementKind.TableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.operations.StatementKind.SNAPSHOT;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.Objects.requireNonNull;

/** Lists the statements of this connector that MySQL runs now, those of other clusters too, as far as the account may see them. */
final class RunningScans
        implements OperationRows<OperationHandle.RunningScans>
{
    static final List<ResultColumn> COLUMNS = ImmutableList.of(
            ResultColumn.text("query_id"),
            ResultColumn.text("user_name"),
            ResultColumn.text("kind"),
            ResultColumn.text("split"),
            ResultColumn.text("schema_name"),
            ResultColumn.text("table_name"),
            ResultColumn.text("mysql_user"),
            ResultColumn.number("connection_id"),
            ResultColumn.number("seconds"),
            ResultColumn.text("state"),
            ResultColumn.text("server"));

    private static final int UNKNOWN_TABLE = 1109;
    // Without the privilege PROCESS MySQL shows an account its own threads. The text is read as bytes, so text in an unknown character set loses nothing.
    private static final String STATEMENTS = """
            SELECT id, user, time, state, info
            FROM information_schema.processlist
            WHERE %s AND id <> CONNECTION_ID()
            ORDER BY time DESC, id""".formatted(MarkedStatement.CONDITION);
    private static final String SNAPSHOTS = """
            SELECT connection_id, user, age, CONCAT(LOWER(state), ', ', readers, IF(readers = 1, ' reader', ' readers'))
            FROM information_schema.mysql_pq_snapshots
            ORDER BY age DESC, connection_id""";

    private final RemoteQueryModifier queryModifier;
    private final String server;

    @Inject
    RunningScans(RemoteQueryModifier queryModifier, DriverLogin login)
    {
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.server = login.server().map(ServerAddress::toString).orElse(null);
    }

    @Override
    public List<ResultColumn> columns()
    {
        return COLUMNS;
    }

    @Override
    public List<List<Object>> rows(ConnectorSession session, Connection connection, OperationHandle.RunningScans handle)
            throws SQLException
    {
        List<List<Object>> rows = new ArrayList<>();
        appendStatements(connection, queryModifier.apply(session, STATEMENTS), rows);
        appendSnapshots(connection, queryModifier.apply(session, SNAPSHOTS), rows);
        return rows;
    }

    @Override
    public TrinoException failure(OperationHandle.RunningScans handle, SQLException cause)
    {
        return new TrinoException(JDBC_ERROR, "Failed to read the running statements of MySQL: %s".formatted(ErrorHints.explain(cause, "planning-timeout")), cause);
    }

    private void appendStatements(Connection connection, String sql, List<List<Object>> rows)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet threads = statement.executeQuery(sql)) {
            while (threads.next()) {
                Optional<MarkedStatement> marked = MarkedStatement.parse(threads.getString(5));
                if (marked.isPresent()) {
                    rows.add(row(marked.get(), threads));
                }
            }
        }
    }

    private List<Object> row(MarkedStatement marked, ResultSet thread)
            throws SQLException
    {
        Optional<TableName> table = StatementKind.table(marked.sql());
        return Arrays.asList(
                marked.query(),
                marked.user(),
                StatementKind.of(marked.sql(), marked.split().isPresent()).toString(),
                marked.split().orElse(null),
                table.map(TableName::schema).orElse(null),
                table.map(TableName::table).orElse(null),
                thread.getString(2),
                thread.getLong(1),
                thread.getLong(3),
                thread.getString(4),
                server);
    }

    // The table is a plugin of its own, which need not be installed.
    private void appendSnapshots(Connection connection, String sql, List<List<Object>> rows)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet snapshots = statement.executeQuery(sql)) {
            while (snapshots.next()) {
                Number donor = (Number) snapshots.getObject(1);
                rows.add(Arrays.asList(null, null, SNAPSHOT.toString(), null, null, null, snapshots.getString(2), donor == null ? null : donor.longValue(), snapshots.getLong(3), snapshots.getString(4), server));
            }
        }
        catch (SQLException e) {
            if (e.getErrorCode() != UNKNOWN_TABLE) {
                throw e;
            }
        }
    }
}
