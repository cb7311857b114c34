package io.mysqlpq.trino.types;

/** Says what Trino sees of a date that no calendar has, such as 0000-00-00, 2026-00-15 or 2026-02-31. */
public enum InvalidDateHandling
{
    /** The query fails and names the column. */
    ERROR,
    /** NULL. */
    NULL,
}
