package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.FreePort;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Creates and drops catalogs in a Trino of its own process, where each has a class loader. */
@TestInstance(PER_CLASS)
class TestCatalogCycles
{
    private static final int CYCLES = 100;
    private static final int CYCLES_PER_QUERY = 10;
    // What Trino itself remembers of the last ones for a while.
    private static final int REMEMBERED = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
    private int port;
    private TrinoProcess trino;

    @BeforeAll
    void start(@TempDir Path folder)
    {
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v VARCHAR(100))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 10000) SELECT i, REPEAT('x', 100) FROM s",
                "ANALYZE TABLE s.t");
        port = FreePort.find();
        trino = new TrinoProcess(
                folder,
                port,
                List.of(
                        "coordinator=true",
                        "node-scheduler.include-coordinator=true",
                        "catalog.management=dynamic",
                        "discovery.uri=http://127.0.0.1:" + port),
                List.of("connector.name=mysql_pq", "connection-url=" + url(), "connection-user=root"));
        trino.awaitStarted();
    }

    @AfterAll
    void stop()
    {
        if (trino != null) {
            trino.close();
        }
    }

    @Test
    void testNothingIsLeft()
            throws SQLException
    {
        try (Connection connection = DriverManager.getConnection("jdbc:trino://127.0.0.1:%s?user=test".formatted(port)); Statement statement = connection.createStatement()) {
            for (int i = 0; i < CYCLES; i++) {
                statement.execute("""
                        CREATE CATALOG cycle_%d USING mysql_pq WITH (
                            "connection-url" = '%s',
                            "connection-user" = 'root',
                            "range-source" = 'EXTENSION',
                            "throttle-threads-running" = '1000',
                            "target-rows-per-split" = '1000')""".formatted(i, url()));
                if (i % CYCLES_PER_QUERY == 0) {
                    try (ResultSet rows = statement.executeQuery("SELECT count(*), sum(length(v)) FROM cycle_%d.s.t WHERE v LIKE '_%%'".formatted(i))) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getLong(1)).isEqualTo(10_000);
                        assertThat(rows.getLong(2)).isEqualTo(1_000_000);
                    }
                }
                statement.execute("DROP CATALOG cycle_" + i);
            }
        }
        Await.until("connectors, pools, class loaders and threads are gone", LIMIT, Duration.ofSeconds(1), () -> instances("io.mysqlpq.trino.MysqlPqConnector") <= REMEMBERED
                && instances("com.zaxxer.hikari.HikariDataSource") <= REMEMBERED
                && instances("io.trino.server.PluginClassLoader") <= 2 * REMEMBERED
                && threads().filter(TestCatalogCycles::isOfCatalog).count() <= REMEMBERED);
        Await.until("no connection is left", LIMIT, () -> MysqlRows.read(mysql, "SELECT id FROM performance_schema.processlist WHERE user = 'root' AND id <> CONNECTION_ID()").isEmpty());
        Leftovers.assertNone(mysql);
    }

    private Stream<String> threads()
    {
        List<String> threads = jcmd("Thread.print").lines().filter(line -> line.startsWith("\"")).toList();
        assertThat(threads).as("all threads").anyMatch(line -> line.startsWith("\"Reference Handler\""));
        return threads.stream();
    }

    // Idle ones of base-jdbc's own executor are not ours to end.
    private static boolean isOfCatalog(String line)
    {
        return (line.contains("cycle_") || line.contains("mysql-cj")) && !line.contains("-jdbc-client-");
    }

    private String url()
    {
        return mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    // Counts the instances of a class, after a collection.
    private long instances(String className)
    {
        List<String> histogram = jcmd("GC.class_histogram").lines().map(line -> line.strip() + " ").toList();
        assertThat(histogram).as("all classes").anyMatch(line -> line.contains(" java.lang.String "));
        return histogram.stream()
                .filter(line -> line.contains(" " + className + " "))
                .mapToLong(line -> Long.parseLong(line.replaceFirst("^\\d+:\\s+(\\d+) .*", "$1").strip()))
                .sum();
    }

    private String jcmd(String command)
    {
        try {
            Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/jcmd").toString(), String.valueOf(trino.pid()), command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
