/**
 * Aggregations that are pushed down: who groups, what each range computes, and how that is merged.
 *
 * <p>In comes what Trino asks for, and how the rows would be read. Out goes a plan, and the merged result as pages. It knows neither splits nor
 * connections: a {@link io.mysqlpq.trino.aggregation.GroupReader} reads a range for it.
 */
package io.mysqlpq.trino.aggregation;
