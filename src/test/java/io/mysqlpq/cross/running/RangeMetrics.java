package io.mysqlpq.cross.running;

/**
 * Tells how many ranges the largest scan of a query had and how many rows came from each.
 */
public record RangeMetrics(long count, long totalRows, long minimumRows, long maximumRows)
{
    public static final RangeMetrics NONE = new RangeMetrics(0, 0, 0, 0);

    public long averageRows()
    {
        return count == 0 ? 0 : totalRows / count;
    }
}
