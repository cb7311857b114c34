package io.mysqlpq.cross.bench;

import java.util.Optional;

/**
 * Says what the side at default settings must reach.
 */
interface Goal
{
    /** What falls short of the goal or is absent, in one line; empty if it is reached. */
    Optional<String> shortfall(BenchResults results);
}
