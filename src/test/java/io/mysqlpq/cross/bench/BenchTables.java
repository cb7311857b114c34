package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.TpchLoader;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/**
 * Fills tables that TPC-H has not, of as many rows as its scale says: one with much text, one whose keys are uneven, one in no order.
 * The class also makes tables like those of TPC-H that have one row each.
 */
record BenchTables(Connection mysql, String scale)
{
    static final String SCHEMA = "mysql_pq_bench";
    static final String ONE_ROW_SCHEMA = SCHEMA + "_one_row";
    static final String WIDE = SCHEMA + ".wide";
    static final String SKEWED = SCHEMA + ".skewed";
    static final String FRAGMENTED = SCHEMA + ".fragmented";
    static final List<String> WIDE_COLUMNS = IntStream.rangeClosed(1, 12).mapToObj("text%d"::formatted).toList();
    static final List<String> SKEWED_COLUMNS = List.of("id", "amount", "day", "note");

    // A wide row stands for this many rows of lineitem, which has six million at scale 1.
    private static final int ROWS_PER_WIDE_ROW = 12;
    private static final int ROWS_PER_SKEWED_ROW = 2;
    private static final int ROWS_PER_FRAGMENTED_ROW = 10;

    void load()
            throws SQLException
    {
        try (Statement statement = mysql.createStatement()) {
            fillOneRowTables(statement);
            if (isLoaded(statement)) {
                return;
            }
            statement.execute("DROP DATABASE IF EXISTS " + SCHEMA);
            statement.execute("CREATE DATABASE " + SCHEMA);
            statement.execute("USE " + SCHEMA);
            long started = System.nanoTime();
            long wide = fillWide(statement);
            long skewed = fillSkewed(statement);
            long fragmented = fillFragmented(statement);
            statement.execute("ANALYZE TABLE %s, %s, %s".formatted(WIDE, SKEWED, FRAGMENTED));
            // Made last: without this table a later run starts anew.
            statement.execute("CREATE TABLE %s.all_loaded AS SELECT '%s' AS scale".formatted(SCHEMA, scale));
            System.out.printf("  a table of text %,d rows, one of uneven keys %,d rows, one in no order %,d rows %6.1f s%n", wide, skewed, fragmented, (System.nanoTime() - started) / 1e9);
        }
    }

    private static void fillOneRowTables(Statement statement)
            throws SQLException
    {
        statement.execute("DROP DATABASE IF EXISTS " + ONE_ROW_SCHEMA);
        statement.execute("CREATE DATABASE " + ONE_ROW_SCHEMA);
        statement.execute("USE " + ONE_ROW_SCHEMA);
        for (String table : TpchLoader.TABLES) {
            statement.execute("CREATE TABLE %1$s LIKE tpch.%1$s".formatted(table));
            statement.execute("INSERT INTO %1$s SELECT * FROM tpch.%1$s LIMIT 1".formatted(table));
        }
        statement.execute("ANALYZE TABLE " + String.join(", ", TpchLoader.TABLES));
    }

    private boolean isLoaded(Statement statement)
            throws SQLException
    {
        try (ResultSet found = statement.executeQuery("SELECT count(*) FROM information_schema.tables WHERE table_schema = '%s' AND table_name = 'all_loaded'".formatted(SCHEMA))) {
            found.next();
            if (found.getInt(1) == 0) {
                return false;
            }
        }
        try (ResultSet loaded = statement.executeQuery("SELECT scale FROM %s.all_loaded".formatted(SCHEMA))) {
            return loaded.next() && loaded.getString(1).equals(scale);
        }
    }

    // A row has about a kilobyte: each text 64 to 104 characters, which differ from row to row.
    private static long fillWide(Statement statement)
            throws SQLException
    {
        statement.execute(WIDE_COLUMNS.stream().map("%s varchar(120) NOT NULL"::formatted).collect(joining(", ", "CREATE TABLE %s (id bigint PRIMARY KEY, ".formatted(WIDE), ")")));
        String texts = IntStream.rangeClosed(1, WIDE_COLUMNS.size())
                .mapToObj("concat(sha2(number * 16 + %1$d, 256), left(sha2(number * 16 + %1$d, 224), (number + 7 * %1$d) %% 41))"::formatted)
                .collect(joining(", "));
        return statement.executeLargeUpdate("INSERT INTO %s SELECT number, %s FROM %s".formatted(WIDE, texts, numbers(ROWS_PER_WIDE_ROW)));
    }

    // The keys begin at 0. 99 of 100 lie side by side, and the others are spread over a hundredfold of that space.
    private static long fillSkewed(Statement statement)
            throws SQLException
    {
        statement.execute("CREATE TABLE %s (id bigint PRIMARY KEY, amount decimal(12, 2) NOT NULL, day date NOT NULL, note varchar(40) NOT NULL)".formatted(SKEWED));
        String id = "if(number < total DIV 100 * 99, number, total + (number - total DIV 100 * 99) * 9900)";
        return statement.executeLargeUpdate("INSERT INTO %s SELECT %s, number / 8, DATE '1992-01-01' + INTERVAL number %% 2500 DAY, left(sha2(number, 224), 40) FROM %s".formatted(SKEWED, id, numbers(ROWS_PER_SKEWED_ROW)));
    }

    // Keys come in an order in which a leaf that follows another by its keys lies anywhere in the file; a row has some 800 bytes.
    private static long fillFragmented(Statement statement)
            throws SQLException
    {
        statement.execute("CREATE TABLE %s (id bigint PRIMARY KEY, text varchar(1000) NOT NULL)".formatted(FRAGMENTED));
        return statement.executeLargeUpdate("INSERT INTO %s SELECT number * 2654435761 %% 4294967296, rpad(number, 800, 'x') FROM %s".formatted(FRAGMENTED, numbers(ROWS_PER_FRAGMENTED_ROW)));
    }

    // Rows (number, total) from 0 on, in this order: a clustered index grows fastest at its end.
    private static String numbers(int rowsPerNumber)
    {
        return """
                (SELECT row_number() OVER (ORDER BY l_orderkey, l_linenumber) - 1 AS number, count(*) OVER () DIV %1$d AS total FROM tpch.lineitem) AS numbers
                WHERE number < total ORDER BY number""".formatted(rowsPerNumber);
    }
}
