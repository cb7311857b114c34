/**
 * Which part of a key a query's filter leaves.
 *
 * <p>In come a filter and a key. Out go the bounds between which all rows lie that pass. It does not know how ranges are cut.
 */
package io.mysqlpq.trino.keyfilter;
