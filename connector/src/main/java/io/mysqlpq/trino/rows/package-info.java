/**
 * How cells become blocks: packets of MySQL, rows of the driver, and column batches of the extension.
 *
 * <p>In come a result and the columns that were planned. Out go pages. It knows neither ranges nor snapshots.
 */
package io.mysqlpq.trino.rows;
