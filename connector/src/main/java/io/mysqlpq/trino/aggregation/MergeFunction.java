package io.mysqlpq.trino.aggregation;

/** Says how the partial values of several ranges become the value of the whole. */
public enum MergeFunction
{
    COUNT,
    MIN,
    MAX,
    SUM,
    /** Of a sum and a count. */
    AVERAGE,
}
