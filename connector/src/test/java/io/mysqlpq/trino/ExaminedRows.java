package io.mysqlpq.trino;

import io.mysqlpq.testing.MysqlServer;
import io.trino.spi.QueryId;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Counts the rows that MySQL itself looked at for a query's reads. */
final class ExaminedRows
{
    private ExaminedRows()
    {}

    static void startCounting(MysqlServer mysql)
    {
        mysql.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'");
    }

    /** @param table as the reads name it, so that the dictionary's tables do not count */
    static long of(MysqlServer mysql, QueryId query, String table)
            throws SQLException
    {
        try (Connection connection = mysql.connect();
                PreparedStatement statement = connection.prepareStatement("""
                        SELECT COUNT(*), SUM(rows_examined) FROM performance_schema.events_statements_history_long
                        WHERE sql_text LIKE '%*/ SELECT %' AND LOCATE(?, sql_text) > 0 AND LOCATE(?, sql_text) > 0 AND sql_text NOT LIKE '%LIMIT 0%'""")) {
            statement.setString(1, query.toString());
            statement.setString(2, "`%s`".formatted(table));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                if (rows.getLong(1) == 0) {
                    throw new IllegalStateException("MySQL knows no read of table %s by query %s".formatted(table, query));
                }
                return rows.getLong(2);
            }
        }
    }
}
