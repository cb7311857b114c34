package io.mysqlpq.cross.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.Await;

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

/**
 * Runs a headless Chromium, and opens its pages.
 */
final class Chromium
        implements AutoCloseable
{
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Process process;
    private final Thread exitHook;
    private final HttpClient http = HttpClient.newHttpClient();

    Chromium(Path folder)
    {
        this.folder = folder;
        try {
            process = new ProcessBuilder(
                    "chromium",
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--disable-dev-shm-usage",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--no-first-run",
                    "--hide-scrollbars",
                    "--remote-debugging-port=0",
                    "--user-data-dir=" + folder,
                    "about:blank")
                    .redirectErrorStream(true)
                    .redirectOutput(Files.createDirectories(folder).resolve("log").toFile())
                    .start();
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start chromium", e);
        }
        exitHook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    /** @return a new page, empty yet */
    ChromiumPage open()
            throws IOException, InterruptedException
    {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s/json/new?about:blank".formatted(port()))).PUT(HttpRequest.BodyPublishers.noBody()).build();
        JsonNode target = JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        return ChromiumPage.connect(http, URI.create(target.path("webSocketDebuggerUrl").asText()));
    }

    // Chromium writes the port that it chose, and then the path of its own socket.
    private String port()
    {
        Path file = folder.resolve("DevToolsActivePort");
        Await.until("Chromium starts in " + folder, Duration.ofMinutes(1), () -> lines(file).size() >= 2);
        return lines(file).getFirst();
    }

    private static List<String> lines(Path file)
    {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
        process.onExit().join();
        Runtime.getRuntime().removeShutdownHook(exitHook);
    }
}
