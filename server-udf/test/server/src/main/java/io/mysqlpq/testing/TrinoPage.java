package io.mysqlpq.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import static java.net.http.HttpClient.Version.HTTP_1_1;

/**
 * Reads pages of Trino's web interface.
 */
public final class TrinoPage
{
    // Java's client offers an upgrade to HTTP/2, and has taken text of a large reply for frames of it.
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HTTP_1_1).build();

    private TrinoPage()
    {}

    /**
     * @throws IOException if Trino does not answer, or not with 200
     */
    public static String read(URI page)
            throws IOException
    {
        HttpRequest request = HttpRequest.newBuilder(page).header("X-Trino-User", "test").build();
        try {
            HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("%s: status %d: %s".formatted(page, response.statusCode(), response.body()));
            }
            return response.body();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while reading " + page, e);
        }
    }
}
