package io.mysqlpq.cross.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.StreamSupport;

import static java.util.Comparator.comparingLong;

/**
 * Asks Trino for the metrics that the connector published during a query.
 */
public record QueryInformation(HttpClient client, int trinoPort)
{
    private static final ObjectMapper JSON = new ObjectMapper();

    public RangeMetrics rangesOf(String queryId)
    {
        return StreamSupport.stream(information(queryId).at("/queryStats/operatorSummaries").spliterator(), false)
                .map(operator -> operator.path("connectorMetrics"))
                .filter(metrics -> metrics.has("rowsPerRange"))
                .map(QueryInformation::ranges)
                .max(comparingLong(RangeMetrics::totalRows))
                .orElse(RangeMetrics.NONE);
    }

    private static RangeMetrics ranges(JsonNode metrics)
    {
        JsonNode distribution = metrics.get("rowsPerRange");
        return new RangeMetrics(
                distribution.get("total").asLong(),
                metrics.get("rowsRead").get("total").asLong(),
                Math.round(distribution.get("min").asDouble()),
                Math.round(distribution.get("max").asDouble()));
    }

    private JsonNode information(String queryId)
    {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/query/%s".formatted(trinoPort, queryId)))
                .header("X-Trino-User", "pq")
                .build();
        try {
            return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
        }
        catch (IOException e) {
            throw new UncheckedIOException("No information about query " + queryId, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking about query " + queryId, e);
        }
    }
}
