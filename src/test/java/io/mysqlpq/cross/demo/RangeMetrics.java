package io.mysqlpq.cross.demo;

/**
 * Tells how many ranges the largest scan of a query had and how many rows came from each.
 */
record RangeMetrics(long count, long totalRows, long minimumRows, long maximumRows)
{
    static final RangeMetrics NONE = new RangeMetrics(0, 0, 0, 0);

    long averageRows()
    {
        return count == 0 ? 0 : totalRows / count;
    }
}
