package io.mysqlpq.trino.planning;

/** Names who finds the first rows of a scan that has a limit. */
public enum FirstRowsReader
{
    /** MySQL, by one statement that ends early. */
    ONE_STATEMENT,
    /** The extension finds those of each range, and Trino takes the first of them. */
    EACH_RANGE_NATIVELY,
    /** MySQL finds those of each range, and Trino takes the first of them. */
    EACH_RANGE,
    /** Trino reads all rows by ranges. Without an order it ends all reads once it has enough. */
    TRINO,
}
