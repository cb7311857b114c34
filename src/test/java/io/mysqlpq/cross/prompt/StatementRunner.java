package io.mysqlpq.cross.prompt;

import io.mysqlpq.cross.running.TextTable;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static java.sql.Types.BIGINT;
import static java.sql.Types.DECIMAL;
import static java.sql.Types.DOUBLE;
import static java.sql.Types.INTEGER;

/**
 * Runs one statement and prints its rows or its update count, with the time it took.
 */
record StatementRunner(Connection connection, PrintStream out)
{
    // Rows are laid out in blocks, so that a large result needs little memory.
    private static final int ROWS_PER_BLOCK = 1000;

    void run(String sql)
            throws SQLException
    {
        long started = System.nanoTime();
        try (Statement statement = connection.createStatement()) {
            String outcome = statement.execute(sql) ? print(statement.getResultSet()) : updated(statement);
            out.printf("(%s, %.2f s)%n%n", outcome, (System.nanoTime() - started) / 1e9);
        }
    }

    private static String updated(Statement statement)
            throws SQLException
    {
        long count = statement.getLargeUpdateCount();
        return count < 0 ? "done" : count + " rows";
    }

    private String print(ResultSet results)
            throws SQLException
    {
        ResultSetMetaData columns = results.getMetaData();
        long count = 0;
        TextTable block = emptyBlock(columns);
        while (results.next()) {
            block.add(row(results, columns.getColumnCount()));
            if (block.rowCount() == ROWS_PER_BLOCK) {
                block.print(out);
                block = emptyBlock(columns);
            }
            count++;
        }
        if (block.rowCount() > 0 || count == 0) {
            block.print(out);
        }
        return count == 1 ? "1 row" : count + " rows";
    }

    private static TextTable emptyBlock(ResultSetMetaData columns)
            throws SQLException
    {
        List<String> names = new ArrayList<>();
        List<Boolean> numbers = new ArrayList<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            names.add(columns.getColumnLabel(column));
            numbers.add(List.of(INTEGER, BIGINT, DOUBLE, DECIMAL).contains(columns.getColumnType(column)));
        }
        return new TextTable(names, numbers);
    }

    private static List<String> row(ResultSet results, int columns)
            throws SQLException
    {
        List<String> cells = new ArrayList<>();
        for (int column : IntStream.rangeClosed(1, columns).toArray()) {
            String value = results.getString(column);
            cells.add(value == null ? "NULL" : value);
        }
        return cells;
    }
}
