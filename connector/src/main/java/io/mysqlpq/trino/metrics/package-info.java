/**
 * Counters of planning and of reading, for a query and for a node.
 *
 * <p>In come durations, rows and bytes. Out go Trino's metrics and JMX. It knows nothing of what is counted.
 */
package io.mysqlpq.trino.metrics;
