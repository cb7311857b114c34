/**
 * Error codes and MySQL's errors: a leaf that every step may use.
 *
 * <p>In comes an exception of the driver. Out goes what it means, and what can be done about it. It knows nothing of queries.
 */
package io.mysqlpq.trino.error;
