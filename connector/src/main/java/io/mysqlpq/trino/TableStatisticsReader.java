package io.mysqlpq.trino;

import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.lang.Math.max;

/** Reads row counts and distinct values that MySQL keeps for its own optimizer. */
final class TableStatisticsReader
{
    private static final String ROW_COUNT = """
            SELECT table_rows FROM information_schema.tables
            WHERE table_schema = ? AND table_name = ? AND table_type = 'BASE TABLE'""";

    // The cardinality of an index's first column is that column's number of distinct values.
    private static final String DISTINCT_VALUES = """
            SELECT column_name, max(cardinality) FROM information_schema.statistics
            WHERE table_schema = ? AND table_name = ? AND seq_in_index = 1 AND sub_part IS NULL AND cardinality IS NOT NULL
            GROUP BY column_name""";

    private final ConnectionFactory connectionFactory;

    TableStatisticsReader(ConnectionFactory connectionFactory)
    {
        this.connectionFactory = connectionFactory;
    }

    TableStatistics read(ConnectorSession session, JdbcTableHandle handle, List<JdbcColumnHandle> columns)
    {
        RemoteTableName table = handle.getRequiredNamedRelation().getRemoteTableName();
        try (Connection connection = connectionFactory.openConnection(session)) {
            OptionalLong rowCount = rowCount(connection, table);
            return rowCount.isEmpty() ? TableStatistics.empty() : statistics(rowCount.getAsLong(), distinctValues(connection, table), columns);
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to read statistics of table " + table, e);
        }
    }

    private static TableStatistics statistics(long rowCount, Map<String, Long> distinctValues, List<JdbcColumnHandle> columns)
    {
        // Both are estimates of different age.
        long rows = distinctValues.values().stream().reduce(rowCount, Math::max);
        TableStatistics.Builder statistics = TableStatistics.builder().setRowCount(Estimate.of(rows));
        for (JdbcColumnHandle column : columns) {
            Long distinct = distinctValues.get(column.getColumnName());
            if (distinct != null) {
                ColumnStatistics.Builder columnStatistics = ColumnStatistics.builder().setDistinctValuesCount(Estimate.of(max(distinct, 0)));
                if (!column.isNullable()) {
                    columnStatistics.setNullsFraction(Estimate.zero());
                }
                statistics.setColumnStatistics(column, columnStatistics.build());
            }
        }
        return statistics.build();
    }

    private static OptionalLong rowCount(Connection connection, RemoteTableName table)
            throws SQLException
    {
        try (PreparedStatement statement = prepare(connection, ROW_COUNT, table);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return OptionalLong.empty();
            }
            long count = rows.getLong(1);
            return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(count);
        }
    }

    private static Map<String, Long> distinctValues(Connection connection, RemoteTableName table)
            throws SQLException
    {
        Map<String, Long> distinctValues = new HashMap<>();
        try (PreparedStatement statement = prepare(connection, DISTINCT_VALUES, table);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                distinctValues.put(rows.getString(1), rows.getLong(2));
            }
        }
        return distinctValues;
    }

    private static PreparedStatement prepare(Connection connection, String sql, RemoteTableName table)
            throws SQLException
    {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, table.getCatalogName().orElseThrow());
        statement.setString(2, table.getTableName());
        return statement;
    }
}
