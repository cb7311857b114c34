/**
 * Ranges by plain SQL, where the extension is absent.
 *
 * <p>In come a key and a connection. Out go ranges of about the same size, after a limited number of statements. It does not know why SQL was chosen.
 */
package io.mysqlpq.trino.planning.sql;
