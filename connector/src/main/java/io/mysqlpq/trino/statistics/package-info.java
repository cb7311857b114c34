/**
 * Estimates for Trino's optimizer, from MySQL's histograms, indexes and a sample.
 *
 * <p>In comes a table handle. Out go table statistics. Answers never depend on them.
 */
package io.mysqlpq.trino.statistics;
