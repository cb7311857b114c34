package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.NastyColumn;
import io.mysqlpq.testing.random.NastyKind;
import io.mysqlpq.testing.random.NastyTable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the copy of a table in Trino's memory with MySQL's own text of it, so that no error can hide that all readers have in common.
 */
record CopiedTable(NastyTable table)
{
    void assertSame(TwinServers servers, String description)
    {
        String copied = "SELECT n%s FROM %s".formatted(table.columns().stream().map(column -> ", " + column.kind().trinoText(column.name())).collect(Collectors.joining()), table.name());
        List<String> copy = servers.ofCopy(copied).getMaterializedRows().stream().map(row -> text(row.getFields())).sorted().toList();
        List<String> expected = mysqlRows(servers.mysql());
        assertThat(expected).isNotEmpty();
        TwinServers.assertSameRows(copy, expected, "%s, %s".formatted(copied, description));
    }

    private List<String> mysqlRows(MysqlServer mysql)
    {
        String sql = "SELECT n%s FROM %s.%s".formatted(table.columns().stream().map(column -> ", " + column.kind().mysqlText(column.name())).collect(Collectors.joining()), TwinServers.SCHEMA, table.name());
        List<String> rows = new ArrayList<>();
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int column = 1; column <= table.columns().size() + 1; column++) {
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

    private String text(List<Object> row)
    {
        return IntStream.range(0, row.size()).mapToObj(i -> i == 0 ? row.get(i).toString() : text(table.columns().get(i - 1), row.get(i))).collect(Collectors.joining(" | "));
    }

    // The two write the same number in several ways.
    private static String text(NastyColumn column, Object value)
    {
        return value != null && column.kind() == NastyKind.APPROXIMATE ? Double.toString(Double.parseDouble((String) value)) : String.valueOf(value);
    }
}
