/**
 * Functions and procedures for those who run the servers: what the extension and MySQL say, as tables.
 *
 * <p>In come a call and its arguments. Out go rows. It knows nothing of scans.
 */
package io.mysqlpq.trino.operations;
