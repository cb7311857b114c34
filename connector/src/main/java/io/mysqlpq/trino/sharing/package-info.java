/**
 * Lets queries that read the same in one snapshot read it once.
 *
 * <p>In comes a key, and pages from whoever reads first. Out go the pages, to all who have the same key. It does not know what a key means.
 */
package io.mysqlpq.trino.sharing;
