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

/** Puts together what indexes and histograms say about the columns of a table. */
record ColumnEstimates(List<IndexColumn> indexes, Map<String, ColumnHistogram> histograms)
{
    ColumnEstimates
    {
        indexes = ImmutableList.copyOf(indexes);
        histograms = ImmutableMap.copyOf(histograms);
    }

    /** The table has at least as many rows. */
    long leastRowCount()
    {
        return LongStream.concat(
                indexes.stream().mapToLong(IndexColumn::cardinality),
                histograms.values().stream().mapToLong(ColumnHistogram::distinctValues)).max().orElse(0);
    }

    /** Empty if nothing is known of the column. */
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
        OptionalLong ofIndexes = indexes.stream()
                .filter(index -> index.alone() && index.name().equals(column))
                .mapToLong(IndexColumn::cardinality)
                .max();
        return ofIndexes.isPresent() ? ofIndexes : histogram(column).mapToLong(ColumnHistogram::distinctValues).findFirst();
    }

    private Optional<Double> nullFraction(JdbcColumnHandle column)
    {
        return column.isNullable() ? histogram(column.getColumnName()).map(ColumnHistogram::nullFraction).findFirst() : Optional.of(0.0);
    }

    private Stream<ColumnHistogram> histogram(String column)
    {
        return Optional.ofNullable(histograms.get(column)).stream();
    }
}
