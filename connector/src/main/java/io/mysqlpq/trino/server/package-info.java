/**
 * What a server says of itself and of its tables: the extension's handshake, keys, partitions and sizes.
 *
 * <p>In comes a connection. Out go facts, or the cause why the extension gives none. It decides nothing.
 */
package io.mysqlpq.trino.server;
