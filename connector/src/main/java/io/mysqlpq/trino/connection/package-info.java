/**
 * Connections that plan, read and hold snapshots: pooled for each account, and limited for each node and server.
 *
 * <p>In comes a query's session. Out goes a connection that is set up, or an error after a wait that has a limit. It knows nothing of tables and ranges.
 */
package io.mysqlpq.trino.connection;
