/**
 * What Trino asks about tables while it plans a query, and what it may push down.
 *
 * <p>In come Trino's calls, with the decision about each scan. Out go table handles. It knows no connection of a worker, and reads no rows.
 */
package io.mysqlpq.trino.metadata;
