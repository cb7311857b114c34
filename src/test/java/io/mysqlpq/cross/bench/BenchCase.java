package io.mysqlpq.cross.bench;

import java.sql.SQLException;
import java.util.List;

/**
 * Is timed on each side.
 */
interface BenchCase
{
    String name();

    Counted counted();

    boolean runsOn(Side side);

    default Surroundings surroundings()
    {
        return Surroundings.WARM;
    }

    /** Whether MySQL may read pages from disk while its data is in memory. New pages push out others. */
    default boolean writes()
    {
        return false;
    }

    /** Is done before each run, and takes no part in it. */
    default void prepare(BenchServers servers)
            throws SQLException
    {}

    /** @param wanted rounds of a single query */
    default int rounds(int wanted)
    {
        return wanted;
    }

    /**
     * Runs it once on each side, which warms caches and compilers, and compares answers.
     *
     * @param on sides that it runs on
     */
    CaseRun begin(BenchSides sides, List<Side> on)
            throws SQLException;
}
