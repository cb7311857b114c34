package io.mysqlpq.cross.bench;

import java.util.Comparator;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Says how long a scan might take on machines that it was not run on.
 *
 * @param servers that the rows are read from at one moment, each with a Trino worker of its own
 * @param fixed seconds before and after the rows
 * @param slowest what works the longest, of all that work at once
 */
record ScalingEstimate(long rows, int servers, double fixed, Part slowest)
{
    /** @param seconds that it works if nothing else lets it wait */
    record Part(String name, double seconds)
    {}

    ScalingEstimate
    {
        requireNonNull(slowest, "slowest is null");
    }

    static ScalingEstimate of(long rows, int servers, double fixed, Part... parts)
    {
        return new ScalingEstimate(rows, servers, fixed, Stream.of(parts).max(Comparator.comparingDouble(Part::seconds)).orElseThrow());
    }

    double seconds()
    {
        return fixed + slowest.seconds();
    }
}
