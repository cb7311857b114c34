/**
 * One moment for all scans of a query or of a group of queries: donor sessions of the coordinator, and readers that adopt what they lend.
 *
 * <p>In come a transaction and the tables of its next scan. Out goes a token for the splits. It does not know what is read in a snapshot.
 */
package io.mysqlpq.trino.snapshot;
