package io.mysqlpq.cross.bench;

/**
 * Tells what a case needs beside the two servers as they are.
 */
enum Surroundings
{
    /** All data in MySQL's buffer pool. */
    WARM,
    /** The same, and a network namespace of our own, whose traffic may be slowed down. */
    LINK,
    /** All data in MySQL's buffer pool, and other processes that keep each core busy. */
    BUSY,
    /** A MySQL that has just started, and no data in the system's caches either. */
    COLD
}
