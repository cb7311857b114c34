package io.mysqlpq.cross.bench;

import static java.lang.Math.max;

/**
 * Says how long a scan might take on machines that it was not run on.
 *
 * @param fixed seconds before and after the rows
 * @param mysql seconds that MySQL's cores need, all at work
 * @param trino the same of Trino's cores
 * @param link seconds that the bytes need
 */
record ScalingEstimate(long rows, double fixed, double mysql, double trino, double link)
{
    double seconds()
    {
        return fixed + max(max(mysql, trino), link);
    }

    String limit()
    {
        if (link >= max(mysql, trino)) {
            return "the link";
        }
        return mysql >= trino ? "MySQL's cores" : "Trino's cores";
    }
}
