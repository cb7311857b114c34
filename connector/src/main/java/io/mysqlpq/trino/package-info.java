/** The plugin: its factory, its module and the connector that Trino talks to. Everything else is in the packages below, which do not know this one. */
package io.mysqlpq.trino;
