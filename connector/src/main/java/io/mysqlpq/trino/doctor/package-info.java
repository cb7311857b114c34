/**
 * What is wrong with a server or an account, by plain JDBC: of use in Trino and in a shell.
 *
 * <p>In comes a connection. Out go findings, each with what to do about it. It knows nothing of queries.
 */
package io.mysqlpq.trino.doctor;
