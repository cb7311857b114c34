package io.mysqlpq.trino.connection;

import io.airlift.units.Duration;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Puts a session into the state that planning and reading rely on, whatever state it was in.
 *
 * @param netWriteTimeout longest time for which MySQL waits for the reader of a running statement, and for the next statement: a reader
 * that vanished without a word may have left a snapshot behind
 * @param lockWaitTimeout longest wait for a table's metadata lock
 */
public record SessionSetup(Duration netWriteTimeout, Duration lockWaitTimeout)
{
    // A server may set these for new sessions. They would cut off rows, refuse large reads, change what IS NULL finds, or end the session with a
    // commit. The setup leaves max_execution_time and group_replication_consistency alone, by which an administrator protects the server. It leaves
    // alone what the meaning of views depends on, such as div_precision_increment.
    private static final String COMPLETE = "sql_select_limit = 18446744073709551615, sql_big_selects = 1, sql_auto_is_null = 0, completion_type = 'NO_CHAIN'";

    public SessionSetup
    {
        requireNonNull(netWriteTimeout, "netWriteTimeout is null");
        requireNonNull(lockWaitTimeout, "lockWaitTimeout is null");
    }

    SessionSetup withLockWaitTimeout(Duration timeout)
    {
        return new SessionSetup(netWriteTimeout, timeout);
    }

    void apply(Connection connection)
            throws SQLException
    {
        execute(connection, sql());
    }

    /**
     * Lets statements have all their rows, a commit end nothing else, and nobody wait for a table without limit. Leaves the rest of the
     * session as the server makes it. For metadata, writes and SQL of users.
     *
     * @param lockWaitTimeout longest wait for a table's metadata lock, unless the server allows less. MySQL's own default is a year, during
     * which all other clients of the table wait behind DDL
     */
    public static void prepare(Connection connection, Duration lockWaitTimeout)
            throws SQLException
    {
        execute(connection, "SET SESSION %s, lock_wait_timeout = CAST(LEAST(@@SESSION.lock_wait_timeout, %s) AS UNSIGNED)".formatted(COMPLETE, seconds(lockWaitTimeout)));
    }

    private static void execute(Connection connection, String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    // The connector relies on the ranges and the EXPLAIN of MySQL's older optimizer. An empty sql_mode is the mildest: no value of a table is an
    // invalid literal in it. A primary key that MySQL generated may be hidden from the dictionary's tables, though not from queries. Sizes in the
    // dictionary may be a day old unless a session forbids it.
    private String sql()
    {
        return """
                SET SESSION autocommit = 1, transaction_isolation = 'REPEATABLE-READ', transaction_read_only = 1, \
                time_zone = '+00:00', sql_mode = '', optimizer_switch = 'hypergraph_optimizer=off', character_set_results = 'utf8mb4', %3$s, \
                show_gipk_in_create_table_and_information_schema = ON, information_schema_stats_expiry = 0, wait_timeout = %1$d, net_write_timeout = %1$d, lock_wait_timeout = %2$d""".formatted(seconds(netWriteTimeout), seconds(lockWaitTimeout), COMPLETE);
    }

    private static long seconds(Duration duration)
    {
        return max(duration.roundTo(SECONDS), 1);
    }
}
