package io.mysqlpq.trino.planning;

/** Names where ranges may come from. */
public enum RangeSource
{
    /** The extension if the server has it; otherwise SQL, if each range may see its own moment; otherwise none. */
    AUTO,
    /** The extension, or the query fails. */
    EXTENSION,
    /** Plain SQL, whether the server has the extension or not. */
    SQL,
    /** No ranges: each table is read as one split. */
    NONE,
}
