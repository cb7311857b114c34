package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;

import io.mysqlpq.testing.TrinoPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Runs one Trino server as a process of its own, from the assembled server and the connector's plugin folder.
 */
public final class TrinoProcess
        implements AutoCloseable
{
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

    private final Path folder;
    private final int port;
    private final Process process;
    private final Thread exitHook;

    // The configuration is what goes into config.properties, one line each.
    public TrinoProcess(Path folder, int port, List<String> configuration, List<String> catalog)
    {
        this(folder, port, configuration, Map.of("mysql_pq", catalog));
    }

    /** Runs a Trino with several catalogs, by their names. */
    public TrinoProcess(Path folder, int port, List<String> configuration, Map<String, List<String>> catalogs)
    {
        this.folder = folder;
        this.port = port;
        try {
            Path catalogFolder = Files.createDirectories(folder.resolve("catalog"));
            for (Map.Entry<String, List<String>> catalog : catalogs.entrySet()) {
                Files.write(catalogFolder.resolve(catalog.getKey() + ".properties"), catalog.getValue());
            }
            Files.write(folder.resolve("config.properties"), configurationLines(configuration));
            Path plugins = Files.createDirectories(folder.resolve("plugin"));
            Files.createSymbolicLink(plugins.resolve("mysql_pq"), required("pq.connector.folder"));
            process = new ProcessBuilder(command())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start Trino in " + folder, e);
        }
        exitHook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    public void awaitStarted()
    {
        Await.until("Trino starts in " + folder, START_TIMEOUT, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("Trino ended while starting:\n" + log());
            }
            return get("/v1/info").contains("\"starting\":false");
        });
    }

    public long pid()
    {
        return process.pid();
    }

    // Empty if the server does not answer.
    String get(String path)
    {
        try {
            return TrinoPage.read(URI.create("http://127.0.0.1:%s%s".formatted(port, path)));
        }
        catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
        try {
            process.waitFor(30, SECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(exitHook);
    }

    private List<String> command()
    {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx1g",
                // Most of the time it starts: what it runs then is not worth the better compiler's work.
                "-XX:TieredStopAtLevel=1",
                "-XX:ReservedCodeCacheSize=256M",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djdk.attach.allowAttachSelf=true",
                "-XX:+EnableDynamicAgentLoading",
                "-Dconfig=" + folder.resolve("config.properties"),
                "-cp",
                required("pq.trino.home").resolve("lib") + "/*",
                "io.mysqlpq.server.TrinoServer");
    }

    private List<String> configurationLines(List<String> configuration)
    {
        List<String> lines = new ArrayList<>(List.of(
                "node.environment=test",
                "node.bind-ip=127.0.0.1",
                "node.internal-address=127.0.0.1",
                "http-server.http.port=" + port,
                "plugin.dir=" + folder.resolve("plugin")));
        // Catalogs that SQL creates are in memory.
        if (!configuration.contains("catalog.management=dynamic")) {
            lines.add("catalog.config-dir=" + folder.resolve("catalog"));
        }
        lines.addAll(configuration);
        return lines;
    }

    private String log()
    {
        try {
            return Files.readString(folder.resolve("log"));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path required(String property)
    {
        String value = System.getProperty(property);
        if (value == null || !Files.isDirectory(Path.of(value))) {
            throw new AssertionError("No folder -D%s=%s. Build it first: mvn package".formatted(property, value));
        }
        return Path.of(value).toAbsolutePath().normalize();
    }
}
