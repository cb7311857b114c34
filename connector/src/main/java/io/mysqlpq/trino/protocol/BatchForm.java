package io.mysqlpq.trino.protocol;

/** Says how column batches come. */
public enum BatchForm
{
    /** Each number takes as many bytes as its column's layout has. All extensions know this form. */
    WIDE,
    /** The numbers of a column take as many bytes as those of the batch need. */
    NARROW,
    /** Narrow, and compressed where that makes a batch smaller. */
    COMPRESSED
}
