package io.mysqlpq.trino.statistics;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.plugin.jdbc.RemoteTableName;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Queries what information_schema says about one table. */
record StatisticsTables(Connection connection, RemoteTableName table)
{
    private static final String ROW_COUNT = """
            SELECT table_rows FROM information_schema.tables
            WHERE table_schema = ? AND table_name = ? AND table_type = 'BASE TABLE'""";

    // An index on an expression has no column name.
    private static final String INDEXES = """
            SELECT column_name, seq_in_index = 1 AND sub_part IS NULL, cardinality FROM information_schema.statistics
            WHERE table_schema = ? AND table_name = ? AND column_name IS NOT NULL AND cardinality IS NOT NULL""";

    private static final String HISTOGRAMS = """
            SELECT column_name, histogram FROM information_schema.column_statistics
            WHERE schema_name = ? AND table_name = ?""";

    OptionalLong rowCount()
            throws SQLException
    {
        try (PreparedStatement statement = prepare(ROW_COUNT);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return OptionalLong.empty();
            }
            long count = rows.getLong(1);
            return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(count);
        }
    }

    List<IndexColumn> indexes()
            throws SQLException
    {
        ImmutableList.Builder<IndexColumn> indexes = ImmutableList.builder();
        try (PreparedStatement statement = prepare(INDEXES);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                indexes.add(new IndexColumn(rows.getString(1), rows.getBoolean(2), rows.getLong(3)));
            }
        }
        return indexes.build();
    }

    Map<String, ColumnHistogram> histograms()
            throws SQLException
    {
        ImmutableMap.Builder<String, ColumnHistogram> histograms = ImmutableMap.builder();
        try (PreparedStatement statement = prepare(HISTOGRAMS);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String column = rows.getString(1);
                Optional<ColumnHistogram> histogram = ColumnHistogram.parse(rows.getString(2));
                histogram.ifPresent(known -> histograms.put(column, known));
            }
        }
        return histograms.buildOrThrow();
    }

    private PreparedStatement prepare(String sql)
            throws SQLException
    {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, table.getCatalogName().orElseThrow());
        statement.setString(2, table.getTableName());
        return statement;
    }
}
