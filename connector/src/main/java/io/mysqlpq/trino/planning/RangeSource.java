package io.mysqlpq.trino.planning;

/** Names where ranges may come from. */
public enum RangeSource
{
    /** The extension if the server has it; otherwise the table is read as one split. */
    AUTO,
    /** The extension, or the query fails. */
    EXTENSION,
    /** No ranges: each table is read as one split. */
    NONE,
}
