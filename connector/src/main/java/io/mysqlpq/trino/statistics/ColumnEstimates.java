package io.mysqlpq.trino.statistics;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.Estimate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Puts together what indexes, histograms and a sample say about the columns of a table. */
record ColumnEstimates(List<IndexColumn> indexes, Map<String, ColumnHistogram> histograms, Map<String, SampledColumn> sampled, long tableRows)
{
    ColumnEstimates
    {
        indexes = ImmutableList.copyOf(indexes);
        histograms = ImmutableMap.copyOf(histograms);
        sampled = ImmutableMap.copyOf(sampled);
    }

    /** Returns the number of rows. All sources are estimates of different age, and no column has more values than the table has rows. */
    long rowCount()
    {
        return LongStream.of(
                tableRows,
                indexes.stream().mapToLong(IndexColumn::cardinality).max().orElse(0),
                histograms.values().stream().mapToLong(ColumnHistogram::distinctValues).max().orElse(0)).max().orElseThrow();
    }

    /** Whether an index or a histogram tells of the column. */
    boolean isKnown(JdbcColumnHandle column)
    {
        return ofIndex(column.getColumnName()).isPresent() || histograms.containsKey(column.getColumnName());
    }

    ColumnEstimates with(Map<String, SampledColumn> sample)
    {
        return new ColumnEstimates(indexes, histograms, sample, tableRows);
    }

    /** Returns the column's statistics. Empty if nothing is known of the column. */
    Optional<ColumnStatistics> of(JdbcColumnHandle column)
    {
        OptionalLong distinctValues = distinctValues(column.getColumnName());
        Optional<Double> nullFraction = nullFraction(column);
        if (distinctValues.isEmpty() && nullFraction.isEmpty()) {
            return Optional.empty();
        }
        ColumnStatistics.Builder statistics = ColumnStatistics.builder();
        distinctValues.ifPresent(count -> statistics.setDistinctValuesCount(Estimate.of(count)));
        nullFraction.ifPresent(fraction -> statistics.setNullsFraction(Estimate.of(fraction)));
        return Optional.of(statistics.build());
    }

    // InnoDB renews its indexes' statistics by itself, histograms only on demand.
    private OptionalLong distinctValues(String column)
    {
        return LongStream.concat(
                Stream.of(ofIndex(column)).flatMapToLong(OptionalLong::stream),
                LongStream.concat(
                        histogram(column).mapToLong(ColumnHistogram::distinctValues),
                        sampled(column).mapToLong(sample -> sample.distinctValues(rowCount()))))
                .findFirst();
    }

    private OptionalLong ofIndex(String column)
    {
        return indexes.stream()
                .filter(index -> index.alone() && index.name().equals(column))
                .mapToLong(IndexColumn::cardinality)
                .max();
    }

    private Optional<Double> nullFraction(JdbcColumnHandle column)
    {
        return column.isNullable()
                ? Stream.concat(histogram(column.getColumnName()).map(ColumnHistogram::nullFraction), sampled(column.getColumnName()).map(SampledColumn::nullFraction)).findFirst()
                : Optional.of(0.0);
    }

    private Stream<SampledColumn> sampled(String column)
    {
        return Optional.ofNullable(sampled.get(column)).filter(sample -> !sample.isEmpty()).stream();
    }

    private Stream<ColumnHistogram> histogram(String column)
    {
        return Optional.ofNullable(histograms.get(column)).stream();
    }
}
