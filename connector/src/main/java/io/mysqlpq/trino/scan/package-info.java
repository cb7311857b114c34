/**
 * One split, read on a worker: a permit, a connection, the query's snapshot, and the range's rows as pages.
 *
 * <p>In comes a split. Out go pages. It never plans: it imports neither server nor planning.
 */
package io.mysqlpq.trino.scan;
