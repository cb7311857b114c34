package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * Holds what one run on one side took.
 *
 * @param sentBytes what MySQL sent to all its clients meanwhile
 */
record Sample(@JsonUnwrapped Work work, CpuTimes cpu, MemoryPeaks memory, long sentBytes)
{
    double seconds()
    {
        return work.seconds();
    }

    double sentBytesPerRow()
    {
        return (double) sentBytes / work.scan().rows();
    }

    double sentBitsPerSecond()
    {
        return sentBytes * 8 / seconds();
    }
}
