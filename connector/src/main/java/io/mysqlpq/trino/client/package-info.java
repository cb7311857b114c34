/**
 * Base-jdbc's client for MySQL: which columns and types a table has, what is pushed down, and the SQL that says so.
 *
 * <p>In comes what Trino asks of a table handle. Out go column mappings, handles and prepared statements. It does not know how a scan is cut and read.
 */
package io.mysqlpq.trino.client;
