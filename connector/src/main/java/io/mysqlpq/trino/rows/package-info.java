/**
 * How results become pages: rows of MySQL's packets or of the driver, and column batches of the extension.
 *
 * <p>In come a result and the columns that were planned. Out go pages. It knows neither ranges nor snapshots.
 */
package io.mysqlpq.trino.rows;
