/**
 * What the extension can read itself: which columns, and which conditions.
 *
 * <p>In come a table's columns and the filter that was pushed down. Out goes the request's description of both, or nothing where SQL has to read. It opens no connection.
 */
package io.mysqlpq.trino.nativescan;
