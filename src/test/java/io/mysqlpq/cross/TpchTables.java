package io.mysqlpq.cross;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes the TPC-H tables of the repository in MySQL and fills them from Trino's generator.
 */
public final class TpchTables
{
    private static final List<String> TABLES = List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

    private TpchTables()
    {}

    public static void load(CrossCluster cluster)
    {
        cluster.mysql().execute("CREATE DATABASE tpch");
        String[] definitions = Arrays.stream(resource("schema.sql").split(";\n", -1))
                .filter(definition -> !definition.isBlank())
                .map(definition -> definition.replace("CREATE TABLE ", "CREATE TABLE tpch."))
                .toArray(String[]::new);
        cluster.mysql().execute(definitions);
        for (String table : TABLES) {
            cluster.query("INSERT INTO mysql_pq.tpch.%1$s SELECT * FROM tpch.tiny.%1$s".formatted(table));
        }
        TABLES.forEach(table -> cluster.mysql().execute("ANALYZE TABLE tpch." + table));
    }

    static String query(int number)
    {
        return resource("q%02d.sql".formatted(number));
    }

    private static String resource(String name)
    {
        try (InputStream content = TpchTables.class.getResourceAsStream("/tpch/" + name)) {
            return new String(content.readAllBytes(), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
