/**
 * What is known of tables and columns: names, definitions, and what was learned of them before.
 *
 * <p>In come names and a session. Out go handles that were compared with MySQL's definition in this query. It knows nothing of filters and ranges.
 */
package io.mysqlpq.trino.tables;
