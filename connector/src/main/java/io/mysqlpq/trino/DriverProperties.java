package io.mysqlpq.trino;

import java.util.Properties;

/** Lists the Connector/J settings that sessions of this connector run with. */
final class DriverProperties
{
    private DriverProperties()
    {}

    /** Sessions for metadata, writes and SQL that the user wrote. */
    static Properties passthrough()
    {
        Properties properties = common();
        properties.setProperty("rewriteBatchedStatements", "true");
        return properties;
    }

    /** Sessions that plan and read. */
    static Properties read()
    {
        Properties properties = common();
        // The driver asks for it once, to know how strings are quoted.
        properties.setProperty("sessionVariables", "sql_mode=''");
        // The driver would set net_write_timeout for each streamed result, and back after it, to values of its own.
        properties.setProperty("netTimeoutForStreamingResults", "0");
        return properties;
    }

    private static Properties common()
    {
        Properties properties = new Properties();
        properties.setProperty("useInformationSchema", "true");
        // Without it an unreachable server blocks for the operating system's time-out.
        properties.setProperty("connectTimeout", "10000");
        properties.setProperty("characterEncoding", "utf8");
        // The server knows its character sets exactly; to several the driver has only similar ones.
        properties.setProperty("characterSetResults", "UTF-8");
        // A TIMESTAMP then has one text for each instant: in a zone with daylight saving time some hours stand for two.
        properties.setProperty("connectionTimeZone", "UTC");
        properties.setProperty("forceConnectionTimeZoneToSession", "true");
        properties.setProperty("tinyInt1isBit", "false");
        return properties;
    }
}
