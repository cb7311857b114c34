/** Error codes: a leaf that every step may use. */
package io.mysqlpq.trino.error;
