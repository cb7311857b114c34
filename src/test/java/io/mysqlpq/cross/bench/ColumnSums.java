package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Has MySQL sum up the columns of a scan: numbers, days since 1970, lengths of texts.
 */
final class ColumnSums
{
    private ColumnSums()
    {}

    static Answer inMysql(RunningServers servers, BenchQuery query)
            throws SQLException
    {
        try (Connection mysql = servers.mysql(); Statement statement = mysql.createStatement()) {
            statement.execute("USE tpch");
            List<String> sums = sums(statement, query);
            try (ResultSet result = statement.executeQuery("SELECT count(*), %s FROM (%s) AS scan".formatted(String.join(", ", sums), query.mysqlSql()))) {
                result.next();
                List<Object> row = new ArrayList<>(List.of(result.getLong(1)));
                for (int column = 0; column < sums.size(); column++) {
                    row.add(result.getDouble(column + 2));
                }
                return new Answer(labels(row.size()), List.of(row));
            }
        }
    }

    private static List<String> sums(Statement statement, BenchQuery query)
            throws SQLException
    {
        try (ResultSet empty = statement.executeQuery("SELECT * FROM (%s) AS scan LIMIT 0".formatted(query.mysqlSql()))) {
            ResultSetMetaData columns = empty.getMetaData();
            List<String> sums = new ArrayList<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                sums.add(sum(columns.getColumnLabel(column), columns.getColumnType(column)));
            }
            return sums;
        }
    }

    static String sum(String column, int type)
    {
        return switch (type) {
            case Types.VARCHAR -> "sum(char_length(%s))".formatted(column);
            case Types.DATE -> "sum(datediff(%s, '1970-01-01'))".formatted(column);
            default -> "sum(%s)".formatted(column);
        };
    }

    static List<String> labels(int count)
    {
        return IntStream.range(0, count).mapToObj("column %d"::formatted).toList();
    }
}
