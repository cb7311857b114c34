/**
 * MySQL's types: one class for each, with all that the connector knows of it.
 *
 * <p>In comes a column as JDBC, or MySQL's reply, describes it. Out go column mappings, decoders, layouts of the extension, and how values compare. It knows
 * nothing of tables.
 */
package io.mysqlpq.trino.types;
