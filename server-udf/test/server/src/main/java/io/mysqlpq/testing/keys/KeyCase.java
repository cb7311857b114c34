package io.mysqlpq.testing.keys;

import io.mysqlpq.testing.MysqlServer;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/**
 * Describes one kind of key and a table that has it, which every law is held to. Each table has a column n that
 * numbers its rows.
 *
 * @param title how people name the key
 * @param definition columns and keys of the table, without n
 * @param options what follows them in CREATE TABLE
 * @param columns the columns that a row gives a value, without n
 * @param row draws the values of one row
 * @param indexes indexes to be cut; the first is the one that the connector reads by
 * @param changes statements that change the filled table, in which {@code %s} is its name
 */
public record KeyCase(
        String title,
        String definition,
        String options,
        String columns,
        Function<Random, String> row,
        List<String> indexes,
        List<String> changes)
{
    public static final int ROWS = 20_000;
    private static final int ROWS_PER_INSERT = 5_000;

    public KeyCase
    {
        indexes = List.copyOf(indexes);
        changes = List.copyOf(changes);
    }

    /** A key of one type: ascending and descending, in the primary key and, with NULLs, in secondary ones. */
    static KeyCase ofType(String type, Function<Random, String> literal)
    {
        return ofType(type, type, literal);
    }

    static KeyCase ofType(String title, String type, Function<Random, String> literal)
    {
        return new KeyCase(
                title,
                """
                k %1$s NOT NULL, o %1$s NULL, PRIMARY KEY (k, n), KEY descending (k DESC, n),
                KEY nullable (o, n), KEY nullable_descending (o DESC, k)""".formatted(type),
                "",
                "k, o",
                random -> "%s, %s".formatted(literal.apply(random), random.nextInt(3) == 0 ? "NULL" : literal.apply(random)),
                List.of("PRIMARY", "descending", "nullable", "nullable_descending"),
                List.of());
    }

    KeyCase withTitle(String newTitle)
    {
        return new KeyCase(newTitle, definition, options, columns, row, indexes, changes);
    }

    KeyCase withOptions(String newTitle, String newOptions)
    {
        return new KeyCase(newTitle, definition, newOptions, columns, row, indexes, changes);
    }

    KeyCase withChanges(String newTitle, String... newChanges)
    {
        return new KeyCase(newTitle, definition, options, columns, row, indexes, List.of(newChanges));
    }

    /** Creates the table and fills it. */
    public void create(MysqlServer server, String table, Random random)
    {
        List<String> statements = new ArrayList<>(List.of(
                // Whatever dates MySQL can hold, and floating-point digits after the point.
                "SET sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00', sql_generate_invisible_primary_key = ON",
                "DROP TABLE IF EXISTS " + table,
                "CREATE TABLE %s (n INT NOT NULL, filler CHAR(60) DEFAULT 'x', %s) %s".formatted(table, definition, options)));
        for (int first = 0; first < ROWS; first += ROWS_PER_INSERT) {
            statements.add(insert(table, random, first, ROWS_PER_INSERT));
        }
        changes.forEach(change -> statements.add(change.formatted(table)));
        execute(server, statements);
    }

    /** Adds rows numbered from {@code first} on. */
    public String insert(String table, Random random, int first, int rows)
    {
        return "INSERT INTO %s (n, %s) VALUES %s".formatted(
                table,
                columns,
                IntStream.range(first, first + rows).mapToObj(n -> "(%s, %s)".formatted(n, row.apply(random))).collect(joining(", ")));
    }

    private static void execute(MysqlServer server, List<String> statements)
    {
        try (Connection connection = server.connect(); Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        catch (SQLException e) {
            throw new IllegalStateException("Cannot make a table: " + statements.get(2), e);
        }
    }

    /** Whether MySQL reads ranges by the key's first column. */
    public boolean hasRanges()
    {
        return !KeyTypes.WITHOUT_RANGES.contains(title) && !KeyShapes.WITHOUT_RANGES.contains(title);
    }

    @Override
    public String toString()
    {
        return title;
    }
}
