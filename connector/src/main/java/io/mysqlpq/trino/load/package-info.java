/**
 * How rows that Trino writes go to MySQL: many at once, by LOAD DATA or by INSERT.
 *
 * <p>In come values, by the functions that base-jdbc writes a type with. Nothing is decided here about types, tables and transactions.
 */
package io.mysqlpq.trino.load;
