/**
 * From a plan of ranges to Trino's splits.
 *
 * <p>In come a table handle and its decision. Out go splits that say all that a worker needs. It reads no rows.
 */
package io.mysqlpq.trino.split;
