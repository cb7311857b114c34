package io.mysqlpq.cross.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.TrinoPage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.stream.StreamSupport;

import static java.util.Comparator.comparingLong;

/**
 * Asks Trino for the metrics that the connector published during a query.
 */
public record QueryInformation(int trinoPort)
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
        try {
            return JSON.readTree(TrinoPage.read(URI.create("http://127.0.0.1:%d/v1/query/%s".formatted(trinoPort, queryId))));
        }
        catch (IOException e) {
            throw new UncheckedIOException("No information about query " + queryId, e);
        }
    }
}
