/**
 * What MySQL computes as Trino would: comparisons, functions of text, and aggregates.
 *
 * <p>In come Trino's expressions and the collations of columns. Out goes SQL whose result is Trino's, or nothing. It knows nothing of how rows are read.
 */
package io.mysqlpq.trino.pushdown;
