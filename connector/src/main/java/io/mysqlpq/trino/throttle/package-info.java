/**
 * Whether a server is fit to be read: its load, its lag, and who waits for it.
 *
 * <p>In come a query or a range that wants to begin. Out goes its turn, or an error after a wait that has a limit. It knows nothing of what is read.
 */
package io.mysqlpq.trino.throttle;
