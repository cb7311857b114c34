package io.mysqlpq.trino.aggregation;

/** Says how the partial values of several ranges become the value of the whole. */
public enum MergeFunction
{
    COUNT,
    MIN,
    MAX,
    SUM,
    /** Divides a sum by a count. */
    AVERAGE,
}
