package io.mysqlpq.trino.pushdown;

import io.trino.plugin.jdbc.aggregation.BaseImplementAvgBigint;

/** Averages integers as DOUBLE, as Trino does: MySQL's own average of them has four decimals. */
final class ImplementAvgBigint
        extends BaseImplementAvgBigint
{
    @Override
    protected String getRewriteFormatExpression()
    {
        return "avg(CAST(%s AS DOUBLE))";
    }
}
