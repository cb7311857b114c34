package io.mysqlpq.trino.statistics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.airlift.log.Logger;

import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Holds what a histogram of ANALYZE TABLE ... UPDATE HISTOGRAM says about a column.
 *
 * @param nullFraction share of NULLs, 0 to 1
 * @param distinctValues number of distinct values without NULL, in the rows that MySQL sampled
 */
record ColumnHistogram(double nullFraction, long distinctValues)
{
    private static final Logger log = Logger.get(ColumnHistogram.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    // A bucket of an equi-height histogram: least value, greatest value, cumulative frequency, distinct values.
    private static final int DISTINCT_VALUES_OF_BUCKET = 3;

    /** Parses a histogram. Empty if it is of no known kind: an estimate is worth no failure. */
    static Optional<ColumnHistogram> parse(String json)
    {
        try {
            JsonNode histogram = MAPPER.readTree(json);
            return Optional.of(new ColumnHistogram(histogram.required("null-values").doubleValue(), distinctValues(histogram)));
        }
        catch (JsonProcessingException | IllegalArgumentException e) {
            log.debug(e, "Ignoring a histogram of an unknown kind: %s", json);
            return Optional.empty();
        }
    }

    private static long distinctValues(JsonNode histogram)
    {
        JsonNode buckets = histogram.required("buckets");
        String type = histogram.required("histogram-type").textValue();
        return switch (type) {
            case "singleton" -> buckets.size();
            case "equi-height" -> StreamSupport.stream(buckets.spliterator(), false).mapToLong(bucket -> bucket.required(DISTINCT_VALUES_OF_BUCKET).longValue()).sum();
            case null, default -> throw new IllegalArgumentException("Unknown type of histogram: " + type);
        };
    }
}
