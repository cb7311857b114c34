/**
 * What MySQL's data dictionary says of a key: its columns and their types.
 *
 * <p>In comes a connection, a table and an index. Out goes a key that ranges can be cut by. It does not know the extension.
 */
package io.mysqlpq.trino.dictionary;
