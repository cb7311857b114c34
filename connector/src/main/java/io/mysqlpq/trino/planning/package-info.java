/**
 * How each scan of a query is read: which index, by which ranges, by whom and why.
 *
 * <p>In come a table handle and a session's wishes. Out goes one decision for each scan, and the plan of its ranges. Only the coordinator plans, so no package of a worker imports this one.
 */
package io.mysqlpq.trino.planning;
