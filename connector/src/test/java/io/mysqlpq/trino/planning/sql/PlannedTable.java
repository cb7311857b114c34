package io.mysqlpq.trino.planning.sql;

import com.google.common.base.Ticker;
import com.mysql.cj.jdbc.JdbcConnection;
import io.airlift.units.Duration;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.RangePredicate;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.testing.TestingConnectorSession;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Plans the table laws.t by SQL over a session like the connector's, and tells what that took. */
final class PlannedTable
        implements AutoCloseable
{
    static final SqlRangesConfig CONFIG = new SqlRangesConfig().setSqlPlanningTimeLimit(new Duration(1, MINUTES)).setSqlRangesTtl(new Duration(0, SECONDS));

    private final Connection connection;
    private final Connection observer;
    private final SqlRanges sqlRanges;

    PlannedTable(MysqlServer mysql)
            throws SQLException
    {
        this(mysql, CONFIG, Ticker.systemTicker());
    }

    PlannedTable(MysqlServer mysql, SqlRangesConfig config, Ticker ticker)
            throws SQLException
    {
        this.connection = mysql.connect();
        this.observer = mysql.connect();
        this.sqlRanges = new SqlRanges(RemoteQueryModifier.NONE, config, ticker);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET time_zone = '+00:00', show_gipk_in_create_table_and_information_schema = ON");
        }
    }

    Connection connection()
    {
        return connection;
    }

    Optional<SqlPlan> plan(long targetRows, int maxRanges)
            throws SQLException
    {
        return plan(KeyRange.all(), targetRows, maxRanges);
    }

    Optional<SqlPlan> plan(KeyRange range, long targetRows, int maxRanges)
            throws SQLException
    {
        return sqlRanges.plan(TestingConnectorSession.SESSION, connection, new SqlRangesRequest("laws", "t", "PRIMARY", range, targetRows, maxRanges));
    }

    /** Conditions of the ranges, in their order. */
    static List<String> conditions(SqlPlan plan)
    {
        RangePredicate predicate = new RangePredicate(plan.key(), name -> "`" + name + "`");
        return plan.ranges().stream().map(range -> predicate.toSql(range.range()).orElse("TRUE")).collect(toImmutableList());
    }

    List<Long> rowsPerRange(SqlPlan plan)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            return conditions(plan).stream().map(condition -> number(statement, "SELECT COUNT(*) FROM laws.t FORCE INDEX (PRIMARY) WHERE " + condition)).toList();
        }
    }

    /** Statements that the planning session has executed. */
    long statements()
            throws SQLException
    {
        return observed("""
                SELECT SUM(count_star) FROM performance_schema.events_statements_summary_by_thread_by_event_name e
                JOIN performance_schema.threads t USING (thread_id)
                WHERE t.processlist_id = %s AND e.event_name LIKE 'statement/sql/%%' AND e.event_name <> 'statement/sql/do'""");
    }

    /** Rows that the planning session has read, of temporary tables too. */
    long rowsRead()
            throws SQLException
    {
        return observed("""
                SELECT SUM(variable_value) FROM performance_schema.status_by_thread s
                JOIN performance_schema.threads t USING (thread_id)
                WHERE t.processlist_id = %s AND s.variable_name LIKE 'Handler\\_read%%'""");
    }

    // By another session, which does not count itself. MySQL counts a statement after it has answered, but before the session's next.
    private long observed(String sql)
            throws SQLException
    {
        try (Statement next = connection.createStatement(); Statement statement = observer.createStatement()) {
            next.execute("DO 0");
            return number(statement, sql.formatted(connection.unwrap(JdbcConnection.class).getSession().getThreadId()));
        }
    }

    private static long number(Statement statement, String sql)
    {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
        catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close()
            throws SQLException
    {
        connection.close();
        observer.close();
    }
}
