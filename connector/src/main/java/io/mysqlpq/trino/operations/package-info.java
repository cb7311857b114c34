/** Functions and procedures for those who run the servers: what the extension and MySQL say, as tables. */
package io.mysqlpq.trino.operations;
