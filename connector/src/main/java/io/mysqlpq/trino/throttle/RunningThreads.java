package io.mysqlpq.trino.throttle;

/**
 * Counts MySQL's threads that run.
 *
 * @param readAtNanos tells one reading from another
 */
record RunningThreads(long count, long readAtNanos)
{}
