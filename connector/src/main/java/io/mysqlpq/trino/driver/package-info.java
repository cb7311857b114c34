/**
 * Connections of base-jdbc, for metadata, writes and SQL of users: how the driver is configured, and one decorator for each thing that a connection has to do beside.
 *
 * <p>In come the catalog's URL and credentials. Out go connection factories. It knows nothing of reading by ranges.
 */
package io.mysqlpq.trino.driver;
