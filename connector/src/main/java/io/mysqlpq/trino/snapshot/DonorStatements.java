package io.mysqlpq.trino.snapshot;

import io.airlift.units.Duration;
import io.mysqlpq.trino.server.ExtensionSnapshots;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_EXPECT_SQL;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_SQL;
import static java.lang.Math.max;
import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;

/** Runs the SQL of a donor's session. */
final class DonorStatements
{
    // A deadlock ends the transaction too.
    private static final int DEADLOCK = 1213;

    private static final Pattern NEXT_NUMBER = Pattern.compile(" AUTO_INCREMENT=\\d+");
    private static final String REPLICA_SQL = """
            SELECT @@GLOBAL.super_read_only = 0 AS writable,
            @@GLOBAL.replica_exec_mode <> 'STRICT' OR @@GLOBAL.replica_skip_errors <> 'OFF' AS lenient,
            (SELECT COUNT(*) FROM performance_schema.replication_applier_filters WHERE filter_rule <> '') + (SELECT COUNT(*) FROM performance_schema.replication_applier_global_filters WHERE filter_rule <> '') AS filters,
            (SELECT COUNT(*) FROM performance_schema.replication_applier_configuration
            WHERE require_table_primary_key_check = 'GENERATE' OR assign_gtids_to_anonymous_transactions_type <> 'OFF') AS additions,
            (SELECT COUNT(*) FROM performance_schema.replication_connection_configuration WHERE channel_name <> 'group_replication_recovery') AS channels
            """;

    private final Connection connection;
    private final Function<RemoteTableName, String> quoted;
    private final UnaryOperator<String> queryComment;
    private final ExtensionSnapshots extension;

    DonorStatements(Connection connection, Function<RemoteTableName, String> quoted, UnaryOperator<String> queryComment, ExtensionSnapshots extension)
    {
        this.connection = connection;
        this.quoted = quoted;
        this.queryComment = queryComment;
        this.extension = extension;
    }

    UnaryOperator<String> queryComment()
    {
        return queryComment;
    }

    /** Begins the transaction. MySQL ends the session if it hears nothing of it for as long as the time-out. */
    void begin(Duration sessionTimeout)
            throws SQLException
    {
        execute("SET SESSION wait_timeout = " + max(sessionTimeout.roundTo(SECONDS), 1));
        execute("START TRANSACTION READ ONLY");
    }

    void end()
            throws SQLException
    {
        execute("COMMIT");
        execute("SET SESSION wait_timeout = DEFAULT");
    }

    /** Gives all locks back. */
    void beginAgain()
            throws SQLException
    {
        rollBack();
        execute("START TRANSACTION READ ONLY");
    }

    void rollBack()
            throws SQLException
    {
        execute("ROLLBACK");
    }

    /** Returns what MySQL says of the tables, without the numbers that inserts leave there. */
    Map<RemoteTableName, String> definitions(Collection<RemoteTableName> tables)
            throws SQLException
    {
        Map<RemoteTableName, String> definitions = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement()) {
            for (RemoteTableName table : tables) {
                try (ResultSet row = statement.executeQuery(queryComment.apply("SHOW CREATE TABLE " + quoted.apply(table)))) {
                    row.next();
                    definitions.put(table, NEXT_NUMBER.matcher(row.getString(2)).replaceAll(""));
                }
            }
        }
        return definitions;
    }

    /** Says why the server may have other rows than its source where both have the same transactions. Empty if nothing speaks for that. */
    Optional<String> whyOtherRows()
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(queryComment.apply(REPLICA_SQL))) {
            row.next();
            return row.getInt("writable") != 0 ? Optional.of("super_read_only is OFF")
                    : row.getInt("channels") != 1 ? Optional.of("it replicates from %s sources".formatted(row.getInt("channels")))
                            : row.getInt("filters") != 0 ? Optional.of("it has replication filters")
                                    : row.getInt("additions") != 0 ? Optional.of("it gives transactions GTIDs, or tables primary keys, that its source has not")
                                            : row.getInt("lenient") != 0 ? Optional.of("replica_exec_mode is not STRICT, or replica_skip_errors is not OFF")
                                                    : Optional.empty();
        }
    }

    /** Locks the table until the transaction ends. Reads no row, because that would open the snapshot. */
    TableLock lock(RemoteTableName table)
            throws SQLException
    {
        return lock(table, "");
    }

    /** Locks the table as {@link #lock} does, but waits for a second at most, which is the least that MySQL knows. */
    TableLock lockBriefly(RemoteTableName table)
            throws SQLException
    {
        return lock(table, "/*+ SET_VAR(lock_wait_timeout = 1) */ ");
    }

    private TableLock lock(RemoteTableName table, String hint)
            throws SQLException
    {
        try {
            execute("SELECT " + hint + "1 FROM " + quoted.apply(table) + " LIMIT 0");
            return new TableLock.Locked();
        }
        catch (SQLException e) {
            if (connection.isClosed() || e.getErrorCode() == DEADLOCK) {
                throw e;
            }
            return new TableLock.Failed(table, e);
        }
    }

    /** Marks the point after which {@link #unlockLate} gives locks back. */
    void beforeLate()
            throws SQLException
    {
        execute("SAVEPOINT late");
    }

    /** Keeps these locks until the transaction ends. */
    void keepLate()
            throws SQLException
    {
        execute("RELEASE SAVEPOINT late");
    }

    void unlockLate()
            throws SQLException
    {
        execute("ROLLBACK TO SAVEPOINT late");
        keepLate();
    }

    /** Makes sure that nothing replaced a locked table since the snapshot opened. */
    void checkUnchanged(RemoteTableName table)
            throws SQLException, ExtensionUnavailableException
    {
        if (!extension.covers(connection, queryComment, table.getCatalogName().orElseThrow(), table.getTableName())) {
            throw changed(table);
        }
    }

    /** Lets the snapshot give the table up once it has been read as often as expected. */
    void expect(TableReads.Expected table)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(SNAPSHOT_EXPECT_SQL))) {
            statement.setString(1, table.table().getCatalogName().orElseThrow());
            statement.setString(2, table.table().getTableName());
            statement.setLong(3, table.reads());
            statement.executeQuery().close();
        }
    }

    static TrinoException changed(RemoteTableName table)
    {
        return new TrinoException(
                MYSQL_PQ_TABLE_CHANGED,
                "Table %s was created, altered or replaced after the query's shared snapshot was opened. Run the query in a new transaction or snapshot group".formatted(table));
    }

    /** Returns GTIDs that are in every snapshot opened from now on. None if the server does not number transactions. */
    Optional<String> committedTransactions()
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(queryComment.apply("SELECT @@GLOBAL.gtid_mode, @@GLOBAL.gtid_executed"))) {
            row.next();
            return "ON".equals(row.getString(1)) ? Optional.of(row.getString(2).replaceAll("\\s", "")) : Optional.empty();
        }
    }

    /** Returns the engines of the tables that exist, and VIEW for a view. In a snapshot it answers as the snapshot sees them. */
    Map<RemoteTableName, String> engines(Collection<RemoteTableName> names)
            throws SQLException
    {
        Map<RemoteTableName, String> engines = new LinkedHashMap<>();
        if (names.isEmpty()) {
            return engines;
        }
        List<RemoteTableName> tables = List.copyOf(names);
        // One look-up for each table: a condition on all of them would read the dictionary of every schema.
        String sql = IntStream.range(0, tables.size())
                .mapToObj("SELECT %d, COALESCE(engine, 'VIEW') FROM information_schema.tables WHERE table_schema = ? AND table_name = ?"::formatted)
                .collect(joining(" UNION ALL "));
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(sql))) {
            for (int i = 0; i < tables.size(); i++) {
                statement.setString(2 * i + 1, tables.get(i).getCatalogName().orElseThrow());
                statement.setString(2 * i + 2, tables.get(i).getTableName());
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    engines.put(tables.get(rows.getInt(1)), rows.getString(2));
                }
            }
        }
        return engines;
    }

    /** Returns why the session no longer holds its snapshot. Empty if it does. */
    Optional<SQLException> endOf(SnapshotToken token)
    {
        return verify(connection, token);
    }

    /** Returns what the extension says of the snapshot on another connection of the same account, which has not adopted it. */
    Optional<SQLException> endOf(SnapshotToken token, Connection other)
    {
        return verify(other, token);
    }

    private Optional<SQLException> verify(Connection session, SnapshotToken token)
    {
        try (PreparedStatement statement = session.prepareStatement(queryComment.apply(SNAPSHOT_VERIFY_SQL))) {
            statement.setString(1, token.value());
            statement.executeQuery().close();
            return Optional.empty();
        }
        catch (SQLException e) {
            return Optional.of(e);
        }
    }

    private void execute(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(queryComment.apply(sql));
        }
    }
}
