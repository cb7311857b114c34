package io.mysqlpq.trino.statistics;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Parses what MySQL's real histograms in TestTableStatistics never are; those are tested there. */
class TestColumnHistogram
{
    @Test
    void testNoBuckets()
    {
        assertThat(ColumnHistogram.parse("{\"buckets\": [], \"null-values\": 1.0, \"histogram-type\": \"singleton\"}")).contains(new ColumnHistogram(1.0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "",
            "{",
            "{}",
            "[]",
            "{\"buckets\": [[1, 1.0]], \"null-values\": 0.0}",
            "{\"buckets\": [[1, 1.0]], \"null-values\": 0.0, \"histogram-type\": \"equi-width\"}",
            "{\"buckets\": [[1, 1.0]], \"null-values\": 0.0, \"histogram-type\": \"equi-height\"}",
            "{\"buckets\": [[1, 1.0]], \"histogram-type\": \"singleton\"}"})
    void testUnknownKindsSayNothing(String json)
    {
        assertThat(ColumnHistogram.parse(json)).isEmpty();
    }
}
