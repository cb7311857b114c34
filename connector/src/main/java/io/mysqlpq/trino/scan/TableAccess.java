package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.rows.ChangedColumnException;
import io.mysqlpq.trino.rows.ReceivedColumn;
import io.mysqlpq.trino.split.SplitTable;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_LOCKED;
import static java.util.stream.Collectors.joining;

/** Locks the tables of a read until its transaction ends, and explains what others did to them in between. */
record TableAccess(List<SplitTable> splitTables, Function<RemoteTableName, String> quotedTable, UnaryOperator<String> quotedColumn, UnaryOperator<String> queryComment)
{
    private static final int NO_SUCH_TABLE = 1146;
    private static final int TABLE_DEFINITION_CHANGED = 1412;
    private static final int UNKNOWN_COLUMN = 1054;
    private static final int COLLATION_OF_ANOTHER_CHARACTER_SET = 1253;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;

    /**
     * Begins a transaction that holds the tables' metadata locks: from then on no DDL can replace the rows. No row is read,
     * so that no snapshot opens.
     */
    void begin(Connection connection)
            throws SQLException
    {
        beginUnlocked(connection);
        try (Statement statement = connection.createStatement()) {
            for (RemoteTableName table : tables()) {
                statement.execute(queryComment.apply("SELECT 1 FROM " + quotedTable.apply(table) + " LIMIT 0"));
            }
        }
    }

    boolean hasUnreturnedColumns()
    {
        return splitTables.stream().anyMatch(table -> !table.unreturned().isEmpty());
    }

    /**
     * Compares the columns that the read names, and does not return, with what the query was planned on. In a transaction their tables are locked from then on.
     *
     * <p>One statement asks for all tables: MySQL opens them together, and lets go of those that it has while it waits for one.
     *
     * @throws ChangedColumnException if MySQL could compare a value as another one than it was planned as
     */
    void compareUnreturned(Connection connection)
            throws SQLException
    {
        if (!hasUnreturnedColumns()) {
            return;
        }
        List<SplitTable> compared = splitTables.stream().filter(table -> !table.unreturned().isEmpty()).toList();
        List<JdbcColumnHandle> planned = compared.stream().flatMap(table -> table.unreturned().stream()).toList();
        String columns = IntStream.range(0, compared.size()).boxed()
                .flatMap(i -> compared.get(i).unreturned().stream().map(column -> "t%d.%s".formatted(i, quotedColumn.apply(column.getColumnName()))))
                .collect(joining(", "));
        String from = IntStream.range(0, compared.size()).mapToObj(i -> "%s t%d".formatted(quotedTable.apply(compared.get(i).name()), i)).collect(joining(", "));
        try (Statement statement = connection.createStatement(); ResultSet none = statement.executeQuery(queryComment.apply("SELECT %s FROM %s LIMIT 0".formatted(columns, from)))) {
            ReceivedColumn.checkRead(none, 0, planned);
        }
    }

    void beginUnlocked(Connection connection)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(queryComment.apply("START TRANSACTION READ ONLY"));
        }
    }

    List<RemoteTableName> tables()
    {
        return splitTables.stream().map(SplitTable::name).collect(toImmutableList());
    }

    /** Returns the table that the range belongs to. */
    RemoteTableName table()
    {
        return getOnlyElement(tables());
    }

    /** Returns the tables' names for messages. */
    String names()
    {
        return tables().stream().map(RemoteTableName::toString).collect(joining(", "));
    }

    static TrinoException changedColumn(String table, String what, SQLException cause)
    {
        return new TrinoException(
                MYSQL_PQ_TABLE_CHANGED,
                "Table %s was altered after the query was planned: %s. Run the query again. If the catalog sets metadata.cache-ttl, CALL system.flush_metadata_cache() first".formatted(table, what),
                cause);
    }

    Optional<TrinoException> explain(SQLException error)
    {
        if (error instanceof ChangedColumnException) {
            return Optional.of(changedColumn(names(), error.getMessage(), error));
        }
        return switch (error.getErrorCode()) {
            case NO_SUCH_TABLE, TABLE_DEFINITION_CHANGED, UNKNOWN_COLUMN, COLLATION_OF_ANOTHER_CHARACTER_SET -> Optional.of(changed(error));
            case LOCK_WAIT_TIMEOUT, DEADLOCK -> Optional.of(new TrinoException(
                    MYSQL_PQ_TABLE_LOCKED,
                    "Table %s is locked, or a statement such as ALTER TABLE waits to lock it: %s. Run the query again when that statement has ended, or raise table-lock-timeout".formatted(names(), error.getMessage()),
                    error));
            default -> Optional.empty();
        };
    }

    /** Makes the failure of a table that the extension cannot read in the snapshot. SQL could not read it there either. */
    TrinoException unusable(SQLException cause)
    {
        return new TrinoException(
                MYSQL_PQ_TABLE_CHANGED,
                "Table %s cannot be read in the query's snapshot: %s. Run the query again. If it fails again, run CHECK TABLE in MySQL".formatted(names(), cause.getMessage()),
                cause);
    }

    TrinoException changed(Exception cause)
    {
        return new TrinoException(
                MYSQL_PQ_TABLE_CHANGED,
                "Table %s was altered, truncated or replaced after the query was planned, or another server answers now%s. Run the query again. If the catalog sets metadata.cache-ttl, CALL system.flush_metadata_cache() first".formatted(names(), cause == null ? "" : ": " + cause.getMessage()),
                cause);
    }
}
