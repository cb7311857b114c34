package io.mysqlpq.cross.dashboards;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.FreePort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs a Superset of the packages that {@code ./pq} installs, on a copy of the metadata that it prepares.
 */
final class SupersetServer
        implements AutoCloseable
{
    private final Path prepared = PythonPrograms.folder("pq.superset.folder");
    private final Path source = PythonPrograms.folder("pq.superset.source");
    private final PythonPrograms python = new PythonPrograms(prepared.resolve("packages"));
    private final String url = "http://127.0.0.1:" + FreePort.find();
    private final Path log;
    private final Process process;
    private final Thread exitHook;

    SupersetServer(Path folder)
    {
        log = folder.resolve("superset.log");
        try {
            Path home = Files.createDirectories(folder.resolve("superset"));
            Files.copy(prepared.resolve("template/superset.db"), home.resolve("superset.db"));
            process = python.start(
                    Map.of("SUPERSET_HOME", home.toString(), "SUPERSET_SECRET_KEY", secret("key"), "SUPERSET_CONFIG_PATH", source.resolve("superset_config.py").toString()),
                    log,
                    List.of("-m", "gunicorn", "--no-control-socket", "--workers=1", "--worker-class=gthread", "--threads=12", "--timeout=120", "--bind=" + url.substring("http://".length()), "superset.app:create_app()"));
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start Superset in " + folder, e);
        }
        exitHook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    /** @return the zip file of the dashboards, over a catalog of a Trino server */
    Path bundle(Path folder, String trino)
            throws IOException, InterruptedException
    {
        Path zip = folder.resolve("bundle.zip");
        python.run(Map.of(), folder.resolve("bundle.log"), List.of(source.resolve("bundle.py").toString(), "zip", zip.toString(), "--trino", trino));
        return zip;
    }

    SupersetClient login()
            throws IOException, InterruptedException
    {
        Await.until("Superset starts", Duration.ofMinutes(3), this::answers);
        return new SupersetClient(url, secret("password"));
    }

    private boolean answers()
    {
        if (!process.isAlive()) {
            throw new AssertionError("Superset ended while starting; its log: " + log);
        }
        try {
            return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url + "/health")).build(), BodyHandlers.ofString()).body().equals("OK");
        }
        catch (IOException e) {
            return false;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String secret(String name)
            throws IOException
    {
        return Files.readString(prepared.resolve(name)).strip();
    }

    // Its workers end when their parent does.
    @Override
    public void close()
    {
        process.destroy();
        process.onExit().join();
        Runtime.getRuntime().removeShutdownHook(exitHook);
    }
}
