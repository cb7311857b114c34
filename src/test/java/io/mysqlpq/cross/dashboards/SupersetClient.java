package io.mysqlpq.cross.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

/**
 * Asks Superset by its REST interface, logged in as its user admin.
 */
public final class SupersetClient
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(2);

    private final String url;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient http = HttpClient.newBuilder().cookieHandler(cookies).build();
    private final Map<String, String> headers = new TreeMap<>();

    public SupersetClient(String url, String password)
            throws IOException, InterruptedException
    {
        this.url = url;
        headers.put("Referer", url);
        headers.put("Authorization", "Bearer " + post("/api/v1/security/login", Map.of("username", "admin", "password", password, "provider", "db")).path("access_token").asText());
        String token = get("/api/v1/security/csrf_token/").path("result").asText();
        headers.put("X-CSRFToken", token);
        // Pages want a session, not the token that the interface takes.
        String form = Map.of("username", "admin", "password", password, "csrf_token", token).entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(joining("&"));
        send("/login/", "application/x-www-form-urlencoded", BodyPublishers.ofString(form));
    }

    String url()
    {
        return url;
    }

    /** @return the cookie of a logged-in session */
    String session()
    {
        return cookies.getCookieStore().getCookies().stream().filter(cookie -> cookie.getName().equals("session")).map(HttpCookie::getValue).findFirst().orElseThrow();
    }

    void importBundle(Path zip)
            throws IOException, InterruptedException
    {
        String boundary = "end-of-part";
        String head = """
                --%1$s\r
                Content-Disposition: form-data; name="overwrite"\r
                \r
                true\r
                --%1$s\r
                Content-Disposition: form-data; name="formData"; filename="bundle.zip"\r
                Content-Type: application/zip\r
                \r
                """.formatted(boundary);
        BodyPublisher body = BodyPublishers.concat(BodyPublishers.ofString(head), BodyPublishers.ofByteArray(Files.readAllBytes(zip)), BodyPublishers.ofString("\r\n--%s--\r\n".formatted(boundary)));
        json("/api/v1/dashboard/import/", send("/api/v1/dashboard/import/", "multipart/form-data; boundary=" + boundary, body));
    }

    /** @return the identifier of each chart, by name */
    public Map<String, Integer> charts()
            throws IOException, InterruptedException
    {
        Map<String, Integer> charts = new TreeMap<>();
        get("/api/v1/chart/?q=(page_size:100)").path("result").forEach(chart -> charts.put(chart.path("slice_name").asText(), chart.path("id").asInt()));
        return charts;
    }

    /** @return the rows that a chart shows */
    public List<JsonNode> chartRows(int chart)
            throws IOException, InterruptedException
    {
        return rows(get("/api/v1/chart/%s/data/".formatted(chart)));
    }

    /** @return the rows of a query that a chart or a filter box asks, written as Superset's pages write it */
    List<JsonNode> rows(Map<String, Object> queryContext)
            throws IOException, InterruptedException
    {
        return rows(post("/api/v1/chart/data", queryContext));
    }

    /** @return what SQL Lab shows of a statement: at most a thousand rows, unless it is asked for more */
    JsonNode sqlLab(String sql)
            throws IOException, InterruptedException
    {
        return post("/api/v1/sqllab/execute/", Map.of("database_id", firstId("/api/v1/database/", "database_name", "mysql_pq"), "sql", sql, "runAsync", false, "queryLimit", 1000));
    }

    int dataset(String name)
            throws IOException, InterruptedException
    {
        return firstId("/api/v1/dataset/", "table_name", name);
    }

    private int firstId(String path, String column, String value)
            throws IOException, InterruptedException
    {
        return get("%s?q=(filters:!((col:%s,opr:eq,value:%s)))".formatted(path, column, value)).path("result").path(0).path("id").asInt();
    }

    private static List<JsonNode> rows(JsonNode answer)
    {
        JsonNode result = answer.path("result").path(0);
        if (!result.path("error").isNull()) {
            throw new AssertionError("Superset's query failed: " + result.path("error"));
        }
        return result.path("data").valueStream().toList();
    }

    JsonNode get(String path)
            throws IOException, InterruptedException
    {
        return json(path, http.send(request(path).GET().build(), BodyHandlers.ofString()));
    }

    JsonNode post(String path, Map<String, Object> body)
            throws IOException, InterruptedException
    {
        return json(path, send(path, "application/json", BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    private HttpResponse<String> send(String path, String type, BodyPublisher body)
            throws IOException, InterruptedException
    {
        return http.send(request(path).header("Content-Type", type).POST(body).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path)
    {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(ANSWER_TIMEOUT);
        headers.forEach(request::header);
        return request;
    }

    private static JsonNode json(String path, HttpResponse<String> answer)
            throws IOException
    {
        if (answer.statusCode() != 200) {
            throw new AssertionError("Superset answered %s to %s: %s".formatted(answer.statusCode(), path, answer.body()));
        }
        return JSON.readTree(answer.body());
    }
}
