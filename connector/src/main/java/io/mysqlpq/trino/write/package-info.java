/**
 * Inserts, updates, deletes and merges: temporary tables, changed rows compared with what was read, and one transaction. DDL of tables too.
 *
 * <p>In come pages and a handle. Out go statements whose effect is complete or none. It does not know how the rows were read.
 */
package io.mysqlpq.trino.write;
