package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;

import java.util.Map;

/**
 * Puts stored functions in the place of the absent extension's, so that a real server gives replies of our choice.
 *
 * <p>A name without schema finds a stored function of the default schema, which init_connect sets for all but
 * administrators.
 */
final class FakeExtension
{
    static final Map<String, String> ACCOUNT = Map.of("connection-user", "reader", "connection-password", "secret");

    private final MysqlServer mysql;

    FakeExtension(MysqlServer mysql)
    {
        this.mysql = mysql;
        mysql.execute(
                "CREATE SCHEMA fake",
                "CREATE USER reader IDENTIFIED BY 'secret'",
                "GRANT SELECT, EXECUTE ON *.* TO reader",
                "SET GLOBAL init_connect = 'USE fake'");
    }

    // Each is SQL for the reply, over the parameters schema_name, table_name, index_name, wish and options.
    void replies(String version, String ranges, String definition)
    {
        mysql.execute(
                "DROP FUNCTION IF EXISTS fake.mysql_pq_version",
                "DROP FUNCTION IF EXISTS fake.mysql_pq_ranges",
                "DROP FUNCTION IF EXISTS fake.mysql_pq_definition",
                "CREATE FUNCTION fake.mysql_pq_version() RETURNS LONGTEXT DETERMINISTIC RETURN " + version,
                "CREATE FUNCTION fake.mysql_pq_ranges(schema_name TEXT, table_name TEXT, index_name TEXT, wish BIGINT, options TEXT) RETURNS LONGTEXT DETERMINISTIC RETURN " + ranges,
                "DROP FUNCTION IF EXISTS fake.mysql_pq_snapshot_export",
                "DROP FUNCTION IF EXISTS fake.mysql_pq_snapshot_adopt",
                "DROP FUNCTION IF EXISTS fake.mysql_pq_snapshot_verify",
                "CREATE FUNCTION fake.mysql_pq_definition(schema_name TEXT, table_name TEXT, index_name TEXT) RETURNS LONGTEXT DETERMINISTIC RETURN " + definition);
    }

    void snapshotReplies(String export, String adopt, String verify)
    {
        mysql.execute(
                "CREATE FUNCTION fake.mysql_pq_snapshot_export() RETURNS LONGTEXT DETERMINISTIC RETURN " + export,
                "CREATE FUNCTION fake.mysql_pq_snapshot_adopt(token TEXT) RETURNS LONGTEXT DETERMINISTIC RETURN " + adopt,
                "CREATE FUNCTION fake.mysql_pq_snapshot_verify(token TEXT) RETURNS LONGTEXT DETERMINISTIC RETURN " + verify);
    }
}
