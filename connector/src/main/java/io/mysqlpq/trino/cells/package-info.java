/**
 * How single cells become blocks: packets of MySQL, rows of the driver, and column batches of the extension.
 *
 * <p>In come bytes, or a row of the driver, and what they are known to be. Out go blocks, or the news that a cell is unusual. It knows no column and no table.
 */
package io.mysqlpq.trino.cells;
