/**
 * Keys of an index, values of their columns, and ranges between them.
 *
 * <p>In come key values, as the extension encodes them or as SQL returns them. Out go half-open ranges and their conditions as SQL. It knows neither JDBC nor Trino's connector interfaces.
 */
package io.mysqlpq.trino.key;
