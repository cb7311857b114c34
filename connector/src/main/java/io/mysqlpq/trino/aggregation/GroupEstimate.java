package io.mysqlpq.trino.aggregation;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.statistics.ColumnStatistics;
import io.trino.spi.statistics.TableStatistics;

import java.util.List;

/** Estimates how many groups an aggregation has. */
public final class GroupEstimate
{
    private GroupEstimate()
    {}

    /** @return NaN if it is not known */
    public static double groups(TableStatistics statistics, List<JdbcColumnHandle> groupBy)
    {
        double groups = 1;
        for (JdbcColumnHandle column : groupBy) {
            ColumnStatistics values = statistics.getColumnStatistics().getOrDefault(column, ColumnStatistics.empty());
            groups *= values.getDistinctValuesCount().getValue();
        }
        // Math.min would make NaN of an unknown number of rows.
        return groups > statistics.getRowCount().getValue() ? statistics.getRowCount().getValue() : groups;
    }
}
