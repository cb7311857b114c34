/**
 * The statements and replies of the extension, as docs/protocol.md has them.
 *
 * <p>In come requests as values. Out go SQL text and decoded replies. Nobody else knows the extension's SQL. It opens no connection.
 */
package io.mysqlpq.trino.protocol;
