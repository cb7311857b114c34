package io.mysqlpq.cross.fault;

import java.time.Duration;

/** Says what a network does to a connection. */
sealed interface NetworkFault
{
    /** Both ends get a reset. */
    record Reset()
            implements NetworkFault
    {}

    /** The connection stays open, and no byte passes any more in either direction. */
    record BlackHole()
            implements NetworkFault
    {}

    /** No byte passes for so long. */
    record Stall(Duration duration)
            implements NetworkFault
    {}

    /** The next bytes from the server arrive changed. */
    record Corruption()
            implements NetworkFault
    {}
}
