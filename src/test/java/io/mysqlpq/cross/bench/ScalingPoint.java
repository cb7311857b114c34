package io.mysqlpq.cross.bench;

/**
 * Holds what reading all columns of a table took, as medians.
 *
 * @param sentBytes by MySQL
 */
record ScalingPoint(long rows, long ranges, double seconds, double mysqlCpu, double trinoCpu, double sentBytes)
{}
