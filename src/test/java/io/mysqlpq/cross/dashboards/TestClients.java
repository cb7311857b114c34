package io.mysqlpq.cross.dashboards;

import io.mysqlpq.cross.CrossCluster;
import io.mysqlpq.cross.TpchTables;
import io.mysqlpq.cross.prompt.SqlPrompt;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the examples of clients, each as the process that a user starts, by MySQL's own answer.
 */
@Tag("dashboards")
@TestInstance(PER_CLASS)
class TestClients
{
    private static final String EXPECTED = "SELECT CONCAT(o_orderpriority, '\\t', COUNT(*)) FROM tpch.orders WHERE o_orderdate >= '1995-01-01' GROUP BY o_orderpriority ORDER BY o_orderpriority";

    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(MysqlServer.builder().extension(true).start());
    private final Path examples = PythonPrograms.folder("pq.examples");
    private final PythonPrograms python = new PythonPrograms(PythonPrograms.folder("pq.clients.folder"));
    @TempDir
    private Path folder;

    @BeforeAll
    void load()
    {
        TpchTables.load(cluster);
    }

    @ParameterizedTest
    @ValueSource(strings = {"trino_client.py", "with_sqlalchemy.py", "with_pandas.py"})
    void testPython(String example)
            throws IOException, InterruptedException
    {
        assertThat(python.run(Map.of(), folder.resolve("log"), List.of(examples.resolve(example).toString(), "127.0.0.1", port())).lines()).containsExactlyElementsOf(expected());
    }

    @Test
    void testJdbc()
            throws IOException, InterruptedException
    {
        assertThat(java(examples.resolve("JdbcClient.java").toString(), "127.0.0.1", port())).containsExactlyElementsOf(expected());
    }

    @Test
    void testDbt()
            throws IOException, InterruptedException
    {
        Path project = examples.resolve("dbt");
        python.run(
                Map.of("TRINO_PORT", port()),
                folder.resolve("log"),
                List.of("-m", "dbt.cli.main", "run", "--project-dir", project.toString(), "--profiles-dir", project.toString(), "--target-path", folder.resolve("target").toString(), "--log-path", folder.toString()));
        assertThat(cluster.mysql().values("SELECT CONCAT(priority, '\\t', orders) FROM reports.orders_by_priority ORDER BY priority")).containsExactlyElementsOf(expected());
    }

    // What ./pq sql -e runs, with the environment that it sets.
    @Test
    void testPrompt()
            throws IOException, InterruptedException
    {
        assertThat(java(SqlPrompt.class.getName(), "SELECT o_orderpriority, count(*) FROM orders WHERE o_orderdate >= DATE '1995-01-01' GROUP BY 1 ORDER BY 1"))
                .filteredOn(line -> line.matches("\\d-.*"))
                .extracting(line -> line.replaceAll(" *\\| *", "\t").strip())
                .containsExactlyElementsOf(expected());
    }

    private List<String> java(String... arguments)
            throws IOException, InterruptedException
    {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        Path log = folder.resolve("java.log");
        ProcessBuilder program = new ProcessBuilder(command).redirectError(folder.resolve("errors.log").toFile()).redirectOutput(log.toFile());
        program.environment().putAll(Map.of(
                "PQ_RUNNING_MYSQL_PORT", String.valueOf(cluster.mysql().port()),
                "PQ_RUNNING_MYSQL_PASSWORD", "",
                "PQ_RUNNING_MYSQL_PROCESS", String.valueOf(cluster.mysql().pid()),
                "PQ_RUNNING_TRINO_PORT", port(),
                "PQ_RUNNING_TRINO_PROCESS", String.valueOf(ProcessHandle.current().pid())));
        assertThat(program.start().waitFor()).as(() -> read(folder.resolve("errors.log"))).isZero();
        return Files.readAllLines(log);
    }

    private static String read(Path file)
    {
        try {
            return Files.readString(file);
        }
        catch (IOException e) {
            return e.toString();
        }
    }

    private String port()
    {
        return String.valueOf(cluster.trino().getCoordinator().getAddress().getPort());
    }

    private List<String> expected()
    {
        return cluster.mysql().values(EXPECTED);
    }
}
