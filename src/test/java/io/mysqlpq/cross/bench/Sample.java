package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * Holds what one run on one side took.
 */
record Sample(@JsonUnwrapped Work work, CpuTimes cpu, MemoryPeaks memory)
{
    double seconds()
    {
        return work.seconds();
    }
}
