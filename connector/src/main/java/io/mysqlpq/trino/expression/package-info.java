/**
 * Computes expressions of Trino over the columns of a table, with Trino's results and errors.
 *
 * <p>In comes a {@code ConnectorExpression}, which is lowered to a small language of integers, truth values and text. Out goes the form of it
 * that the extension reads, and blocks and rows that the connector computes itself. Trino's types, scales and ranges are known while lowering
 * only. It knows nothing of SQL, of scans and of where pages come from.
 */
package io.mysqlpq.trino.expression;
