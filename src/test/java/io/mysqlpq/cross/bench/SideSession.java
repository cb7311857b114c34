package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RangeMetrics;

import java.sql.SQLException;

/**
 * Runs queries on one side, one after the other.
 */
interface SideSession
        extends AutoCloseable
{
    /** Reads all of the answer, for comparing; takes longer than {@link #seconds} where a client would only count rows. */
    Answer answer(BenchQuery query)
            throws SQLException;

    /** @throws IllegalStateException if the answer is not the expected one */
    default void check(BenchQuery query, Answer expected)
            throws SQLException
    {
        query.check(answer(query), expected);
    }

    /**
     * Takes the time until the last row is there.
     *
     * @throws IllegalStateException if the answer is not the expected one
     */
    double seconds(BenchQuery query, Answer expected)
            throws SQLException;

    /** How even the ranges were of the query that ran last, where there were any. */
    default RangeMetrics ranges()
    {
        return RangeMetrics.NONE;
    }

    @Override
    void close()
            throws SQLException;
}
