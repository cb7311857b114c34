package io.mysqlpq.cross.bench;

/**
 * Tells what of a run is counted, and so which figure of it is the main one: of a single query, its seconds.
 */
enum Counted
{
    SINGLE_QUERY, QUERIES, ROWS
}
