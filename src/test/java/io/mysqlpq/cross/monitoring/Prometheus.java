package io.mysqlpq.cross.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.testing.FreePort;
import io.mysqlpq.testing.TrinoPage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.StreamSupport;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A Prometheus server, and what its HTTP API says.
 */
final class Prometheus
        implements AutoCloseable
{
    private static final ObjectMapper JSON = new ObjectMapper();

    private final int port = FreePort.find();
    private final MonitoringProgram program;

    Prometheus(Path folder, Path configuration)
    {
        program = new MonitoringProgram(folder, "prometheus", List.of(
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + folder.resolve("samples"),
                "--web.listen-address=127.0.0.1:" + port));
        program.awaitReady(this::isReady);
    }

    private boolean isReady()
    {
        try {
            TrinoPage.read(URI.create("http://127.0.0.1:%d/-/ready".formatted(port)));
            return true;
        }
        catch (IOException e) {
            return false;
        }
    }

    /** The values that the expression has just now, one for each series. */
    List<Double> values(String expression)
    {
        return StreamSupport.stream(data("query?query=" + encoded(expression)).required("result").spliterator(), false)
                .map(series -> Double.parseDouble(series.required("value").required(1).textValue()))
                .toList();
    }

    /** The value of an expression that has one series, empty if it has none. */
    OptionalDouble value(String expression)
    {
        List<Double> values = values(expression);
        if (values.size() > 1) {
            throw new AssertionError("%d series: %s".formatted(values.size(), expression));
        }
        return values.stream().mapToDouble(Double::doubleValue).findFirst();
    }

    /** The alerting rules that it has loaded: fields name, query, health. */
    List<JsonNode> rules()
    {
        ImmutableList.Builder<JsonNode> rules = ImmutableList.builder();
        data("rules").required("groups").forEach(group -> group.required("rules").forEach(rules::add));
        return rules.build();
    }

    Set<String> firingAlerts()
    {
        return StreamSupport.stream(data("alerts").required("alerts").spliterator(), false)
                .filter(alert -> alert.required("state").textValue().equals("firing"))
                .map(alert -> alert.required("labels").required("alertname").textValue())
                .collect(toImmutableSet());
    }

    /** The series that the expression chooses, each as an expression of its own: its metric's name, and conditions on labels. */
    Set<String> selectors(String expression)
    {
        ImmutableSet.Builder<String> selectors = ImmutableSet.builder();
        collectSelectors(data("parse_query?query=" + encoded(expression)), selectors);
        return selectors.build();
    }

    private static void collectSelectors(JsonNode node, ImmutableSet.Builder<String> selectors)
    {
        String type = node.path("type").asText();
        if (type.equals("vectorSelector") || type.equals("matrixSelector")) {
            List<String> conditions = StreamSupport.stream(node.required("matchers").spliterator(), false)
                    .map(matcher -> "%s%s\"%s\"".formatted(matcher.required("name").textValue(), matcher.required("type").textValue(), matcher.required("value").textValue()))
                    .toList();
            selectors.add("{%s}".formatted(String.join(",", conditions)));
        }
        node.forEach(child -> collectSelectors(child, selectors));
    }

    private JsonNode data(String path)
    {
        try {
            JsonNode reply = JSON.readTree(TrinoPage.read(URI.create("http://127.0.0.1:%d/api/v1/%s".formatted(port, path))));
            return reply.required("data");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String encoded(String text)
    {
        return URLEncoder.encode(text, UTF_8);
    }

    @Override
    public void close()
    {
        program.close();
    }
}
