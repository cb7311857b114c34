package io.mysqlpq.cross.bench;

/**
 * Holds what one run of one query took.
 */
record Sample(double seconds, CpuTimes cpu, MemoryPeaks memory)
{}
