package io.mysqlpq.cross.running;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Holds the rows of a result as exact text, sorted, since SQL leaves the order of ties open.
 */
public record Answer(List<String> rows)
{
    public Answer
    {
        rows = rows.stream().sorted().toList();
    }

    public static Answer read(ResultSet results)
            throws SQLException
    {
        int columns = results.getMetaData().getColumnCount();
        List<String> rows = new ArrayList<>();
        while (results.next()) {
            List<String> cells = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                cells.add(exactText(results.getObject(column)));
            }
            rows.add(String.join("\t", cells));
        }
        return new Answer(rows);
    }

    private static String exactText(Object value)
    {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
    }
}
