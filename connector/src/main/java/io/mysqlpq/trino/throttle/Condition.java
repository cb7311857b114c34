package io.mysqlpq.trino.throttle;

import io.trino.spi.TrinoException;

import java.sql.SQLException;
import java.util.Optional;

/** Decides whether a server may be read, by what the server says of itself. */
interface Condition
{
    /**
     * Returns what stands in the way for now.
     *
     * @throws TrinoException if waiting is of no use, or not wanted
     * @throws SQLException if the server does not say
     */
    Optional<Obstacle> obstacle(ServerReadings readings)
            throws SQLException;

    /**
     * Returns what stands in the way if the server does not say.
     *
     * @param query that wants to know
     * @throws TrinoException as above
     */
    Optional<Obstacle> unreadable(String query, SQLException cause);

    /** Takes into account that one more request was let in of those that wait. */
    default void letIn()
    {}
}
