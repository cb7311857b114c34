package io.mysqlpq.trino.planning.sql;

import com.google.common.base.Ticker;
import io.mysqlpq.testing.BalanceShape;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.RangePredicate;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Measures how even 64 ranges of a million rows are that SQL finds, for the table of docs/balance.md. Takes minutes,
 * so no set of tests runs it: {@code ./pq balance} does.
 */
@TestInstance(PER_CLASS)
class SqlBalanceBenchmark
{
    private static final int RANGES = 64;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().option("innodb-buffer-pool-size", "512M").start();

    @Test
    void measureBalance()
            throws SQLException
    {
        System.out.println("| shape | SQL: ranges | largest, rows | largest, bytes | statements | rows read |");
        System.out.println("|---|---|---|---|---|---|");
        for (BalanceShape shape : BalanceShape.all()) {
            server.execute(shape.creation().toArray(String[]::new));
            try (Connection connection = server.connect(); Statement statement = connection.createStatement()) {
                long statements = number(statement, "SHOW SESSION STATUS LIKE 'Questions'");
                statement.execute("FLUSH STATUS");
                SqlPlan plan = new SqlRanges(RemoteQueryModifier.NONE, PlannedTable.CONFIG, Ticker.systemTicker())
                        .plan(TestingConnectorSession.SESSION, connection, new SqlRangesRequest("balance", "t", IndexKey.PRIMARY, KeyRange.all(), 1, RANGES))
                        .orElseThrow();
                long rowsRead = rowsRead(statement);
                // SHOW, FLUSH and SHOW are not the plan's.
                long taken = number(statement, "SHOW SESSION STATUS LIKE 'Questions'") - statements - 3;
                List<Range> ranges = ranges(statement, shape, plan);
                System.out.printf(
                        "| %s | %s | %s | %s | %s | %s |%n",
                        shape.title(), ranges.size(), largest(ranges, Range::rows), largest(ranges, Range::bytes), taken, rowsRead);
                assertThat(ranges.stream().mapToLong(Range::rows).sum()).isEqualTo(BalanceShape.ROWS);
            }
        }
    }

    private record Range(long rows, long bytes)
    {}

    private static List<Range> ranges(Statement statement, BalanceShape shape, SqlPlan plan)
            throws SQLException
    {
        RangePredicate predicate = new RangePredicate(plan.key(), name -> "`" + name + "`");
        List<Range> ranges = new ArrayList<>();
        for (EstimatedRange range : plan.ranges()) {
            String sql = "SELECT COUNT(*), CAST(SUM(%s) AS SIGNED) FROM balance.t FORCE INDEX (PRIMARY) WHERE %s".formatted(shape.bytes(), predicate.toSql(range.range()).orElse("TRUE"));
            try (ResultSet rows = statement.executeQuery(sql)) {
                rows.next();
                ranges.add(new Range(rows.getLong(1), rows.getLong(2)));
            }
        }
        return ranges;
    }

    private static long rowsRead(Statement statement)
            throws SQLException
    {
        long sum = 0;
        try (ResultSet rows = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
            while (rows.next()) {
                sum += rows.getLong(2);
            }
        }
        return sum;
    }

    private static long number(Statement statement, String show)
            throws SQLException
    {
        try (ResultSet rows = statement.executeQuery(show)) {
            rows.next();
            return rows.getLong(2);
        }
    }

    private static String largest(List<Range> ranges, ToLongFunction<Range> size)
    {
        long sum = ranges.stream().mapToLong(size).sum();
        return "%.2f ×".formatted((double) ranges.stream().mapToLong(size).max().orElseThrow() * RANGES / sum);
    }
}
