package io.mysqlpq.cross.running;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

/**
 * Fills MySQL's schema tpch with generated rows: Trino reads them from its tpch connector and writes them through ours.
 */
public record TpchLoader(RunningServers servers, String scale)
{
    public static final List<String> TABLES = List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

    public void load()
            throws SQLException, IOException
    {
        try (Connection mysql = servers.mysql(); Statement statement = mysql.createStatement()) {
            if (isLoaded(statement)) {
                System.out.printf("TPC-H at scale %s is loaded already%n", scale);
                return;
            }
            createTables(statement);
            for (String table : TABLES) {
                long started = System.nanoTime();
                List<SecondaryKey> keys = SecondaryKey.of(statement, table);
                alter(statement, table, keys, SecondaryKey::drop);
                long rows = copy(table);
                // MySQL sorts all rows for a new key, which takes half the time of adding them one by one.
                alter(statement, table, keys, SecondaryKey::add);
                System.out.printf("  %-8s %,11d rows %6.1f s%n", table, rows, (System.nanoTime() - started) / 1e9);
            }
            statement.execute("ANALYZE TABLE " + String.join(", ", TABLES));
            // Written last: without this row a later run starts anew.
            statement.execute("INSERT INTO mysql_pq_demo.loaded VALUES ('%s')".formatted(scale));
        }
    }

    private record SecondaryKey(String name, String columns)
    {
        static List<SecondaryKey> of(Statement statement, String table)
                throws SQLException
        {
            List<SecondaryKey> keys = new ArrayList<>();
            try (ResultSet result = statement.executeQuery(
                    """
                    SELECT index_name, GROUP_CONCAT(column_name ORDER BY seq_in_index) FROM information_schema.statistics
                    WHERE table_schema = 'tpch' AND table_name = '%s' AND index_name <> 'PRIMARY' GROUP BY index_name""".formatted(table))) {
                while (result.next()) {
                    keys.add(new SecondaryKey(result.getString(1), result.getString(2)));
                }
            }
            return keys;
        }

        String drop()
        {
            return "DROP KEY " + name;
        }

        String add()
        {
            return "ADD KEY %s (%s)".formatted(name, columns);
        }
    }

    private static void alter(Statement statement, String table, List<SecondaryKey> keys, Function<SecondaryKey, String> change)
            throws SQLException
    {
        if (!keys.isEmpty()) {
            statement.execute("ALTER TABLE %s %s".formatted(table, keys.stream().map(change).collect(joining(", "))));
        }
    }

    private boolean isLoaded(Statement statement)
            throws SQLException
    {
        statement.execute("CREATE DATABASE IF NOT EXISTS mysql_pq_demo");
        statement.execute("CREATE TABLE IF NOT EXISTS mysql_pq_demo.loaded (scale varchar(20) PRIMARY KEY)");
        try (ResultSet result = statement.executeQuery("SELECT scale FROM mysql_pq_demo.loaded")) {
            return result.next() && result.getString(1).equals(scale);
        }
    }

    private static void createTables(Statement statement)
            throws SQLException, IOException
    {
        statement.execute("DELETE FROM mysql_pq_demo.loaded");
        statement.execute("DROP DATABASE IF EXISTS tpch");
        statement.execute("CREATE DATABASE tpch");
        statement.execute("USE tpch");
        StatementSplitter definitions = new StatementSplitter();
        definitions.append(resource("/tpch/schema.sql"));
        for (var definition = definitions.next(); definition.isPresent(); definition = definitions.next()) {
            statement.execute(definition.get());
        }
    }

    private long copy(String table)
            throws SQLException
    {
        try (Connection trino = servers.trino(); Statement statement = trino.createStatement()) {
            // The tables are new and are made anew after an interruption: no need to insert by way of a temporary one.
            statement.execute("SET SESSION mysql_pq.non_transactional_insert = true");
            statement.execute("SET SESSION task_min_writer_count = 2");
            long written = statement.executeLargeUpdate(
                    "INSERT INTO mysql_pq.tpch.%1$s SELECT * FROM tpch.\"sf%2$s\".%1$s".formatted(table, scale));
            checkCount(statement, table, written);
            return written;
        }
    }

    private void checkCount(Statement statement, String table, long written)
            throws SQLException
    {
        try (ResultSet result = statement.executeQuery("SELECT count(*) FROM tpch.\"sf%s\".%s".formatted(scale, table))) {
            result.next();
            if (result.getLong(1) != written) {
                throw new IllegalStateException("Loading %s: %d rows generated, %d written".formatted(table, result.getLong(1), written));
            }
        }
    }

    public static String resource(String name)
            throws IOException
    {
        try (InputStream content = TpchLoader.class.getResourceAsStream(name)) {
            return new String(content.readAllBytes(), UTF_8);
        }
    }
}
