package io.mysqlpq.cross.docs;

import io.mysqlpq.cross.CrossCluster;
import io.mysqlpq.cross.running.StatementSplitter;
import io.mysqlpq.cross.running.TpchLoader;
import io.mysqlpq.testing.MysqlServer;
import io.trino.plugin.memory.MemoryPlugin;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs code blocks in Trino over the example schema, and in its MySQL. */
final class DocsServers
        implements AutoCloseable
{
    // Small splits, so that the example tables are read in many; and an extension that comes and goes is noticed at once.
    private final CrossCluster cluster = CrossCluster.parallel(
            MysqlServer.builder().extension(true).start(),
            Map.of("range-source", "AUTO", "extension-probe-ttl", "1ms"));

    DocsServers()
    {
        // Stands in for Trino's own connector, which is not published as an artifact: the same names, types and statements, in one split.
        cluster.createCatalog("mysql", Map.of("parallel-reads-enabled", "false"));
        // Stands in for a lake: Iceberg's libraries are 380 MB.
        cluster.trino().installPlugin(new MemoryPlugin());
        cluster.trino().createCatalog("lake", "memory");
    }

    /** Makes the example schema what it is in the beginning, with root as the only account. */
    void reset()
            throws SQLException, IOException
    {
        cluster.mysql().values("SELECT concat(quote(user), '@', quote(host)) FROM mysql.user WHERE user NOT LIKE 'mysql.%' AND user <> 'root'")
                .forEach(account -> cluster.mysql().execute("DROP USER " + account));
        try (Connection mysql = cluster.mysql().connect()) {
            run(mysql, TpchLoader.resource("/docs/schema.sql"));
        }
    }

    void runInTrino(String sql)
            throws SQLException
    {
        try (Connection trino = cluster.connect()) {
            run(trino, "USE mysql_pq.web; " + sql);
        }
    }

    void runInTrinoWithoutExtension(String sql)
            throws SQLException
    {
        cluster.mysql().execute("UNINSTALL PLUGIN mysql_pq");
        try {
            runInTrino(sql);
        }
        finally {
            cluster.mysql().execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        }
    }

    void runInMysql(String sql)
            throws SQLException
    {
        try (Connection mysql = cluster.mysql().connect()) {
            run(mysql, "USE web; " + sql);
        }
    }

    /** In a server of its own, which has the extension's library and has not installed it. */
    static void runInNewMysql(String sql)
            throws SQLException
    {
        try (MysqlServer server = MysqlServer.builder().start(); Connection mysql = server.connect()) {
            run(mysql, sql);
            server.assertErrorLogClean();
        }
    }

    private static void run(Connection connection, String text)
            throws SQLException
    {
        for (String sql : statements(text)) {
            try (Statement statement = connection.createStatement()) {
                if (statement.execute(sql)) {
                    readAll(statement);
                }
            }
            catch (SQLException e) {
                throw new SQLException("%s\n%s".formatted(e.getMessage(), sql), e);
            }
        }
    }

    // Trino fails while rows are fetched, not before.
    private static void readAll(Statement statement)
            throws SQLException
    {
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                rows.getObject(1);
            }
        }
    }

    private static List<String> statements(String text)
    {
        StatementSplitter splitter = new StatementSplitter();
        splitter.append(text);
        List<String> statements = new ArrayList<>();
        for (var statement = splitter.next(); statement.isPresent(); statement = splitter.next()) {
            statements.add(statement.get());
        }
        if (!splitter.rest().lines().allMatch(line -> line.isBlank() || line.startsWith("--"))) {
            statements.add(splitter.rest());
        }
        return statements;
    }

    @Override
    public void close()
    {
        cluster.close();
    }
}
