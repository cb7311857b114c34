package io.mysqlpq.testing.random;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/**
 * Writes a table with a column n, whose values are unlike, and nasty ones.
 */
public record NastyTable(String name, List<NastyColumn> columns)
{
    public NastyTable
    {
        columns = List.copyOf(columns);
    }

    public String create(String schema)
    {
        return "CREATE TABLE %s.%s (n INT PRIMARY KEY, %s)".formatted(schema, name, columns.stream().map(column -> "%s %s".formatted(column.name(), column.definition())).collect(joining(", ")));
    }

    /** To be run where MySQL is not strict: it puts a question mark for what a character set has not. */
    public String insert(String schema, int rows, Random random)
    {
        return "INSERT INTO %s.%s VALUES ".formatted(schema, name) + IntStream.range(0, rows)
                .mapToObj(n -> columns.stream().map(column -> column.value(random)).collect(joining(", ", "(%d, ".formatted(n), ")")))
                .collect(joining(", "));
    }
}
