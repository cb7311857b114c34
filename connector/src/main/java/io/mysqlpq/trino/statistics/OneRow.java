package io.mysqlpq.trino.statistics;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.Estimate;
import io.trino.spi.statistics.TableStatistics;

import java.util.List;

/** Estimates what a look-up by a unique key finds. */
public final class OneRow
{
    private static final ColumnStatistics ONE_VALUE = ColumnStatistics.builder()
            .setDistinctValuesCount(Estimate.of(1))
            .setNullsFraction(Estimate.zero())
            .build();

    private OneRow()
    {}

    public static TableStatistics statistics(List<JdbcColumnHandle> columns)
    {
        TableStatistics.Builder statistics = TableStatistics.builder().setRowCount(Estimate.of(1));
        columns.forEach(column -> statistics.setColumnStatistics(column, ONE_VALUE));
        return statistics.build();
    }
}
