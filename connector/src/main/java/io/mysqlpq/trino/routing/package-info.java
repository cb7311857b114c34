/**
 * Reads one catalog from several servers.
 *
 * <p>In: a part of the connector for each server, and what a server says of its state. Out: one connector for Trino, which passes each question on to the
 * part of the server that the query reads from. This package must not know how a server is read.
 */
package io.mysqlpq.trino.routing;
