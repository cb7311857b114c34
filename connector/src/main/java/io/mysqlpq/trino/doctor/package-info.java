/** What is wrong with a server or an account, by plain JDBC: of use in Trino and in a shell. */
package io.mysqlpq.trino.doctor;
