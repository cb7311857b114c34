/**
 * MySQL's types as Trino's: how columns are mapped, read by the driver, and written.
 *
 * <p>In comes a column as JDBC describes it. Out go a column mapping and what a cell may hold. It knows nothing of tables.
 */
package io.mysqlpq.trino.types;
