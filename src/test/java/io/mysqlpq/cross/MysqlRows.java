package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import static java.util.stream.Collectors.joining;

/**
 * Reads rows straight from MySQL as sorted text, to compare Trino's answers with.
 */
public final class MysqlRows
{
    private MysqlRows()
    {}

    public static List<String> read(MysqlServer mysql, String sql)
    {
        List<String> rows = new ArrayList<>();
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.add(result.getString(column));
                }
                rows.add(text(row));
            }
        }
        catch (SQLException e) {
            throw new IllegalStateException("Cannot read from MySQL: " + sql, e);
        }
        return rows.stream().sorted().toList();
    }

    public static String text(List<Object> row)
    {
        return row.stream().map(String::valueOf).map(value -> value.replace("|", "||")).collect(joining(" | "));
    }
}
