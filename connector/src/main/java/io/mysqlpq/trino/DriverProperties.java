package io.mysqlpq.trino;

import java.util.Properties;

/** Lists the Connector/J settings that sessions of this connector run with. */
final class DriverProperties
{
    private DriverProperties()
    {}

    /** Sessions for metadata, writes and SQL that the user wrote: the JVM's time zone, as the stock connector sets it. */
    static Properties passthrough()
    {
        Properties properties = common();
        properties.setProperty("connectionTimeZone", "LOCAL");
        properties.setProperty("forceConnectionTimeZoneToSession", "true");
        properties.setProperty("rewriteBatchedStatements", "true");
        return properties;
    }

    /**
     * Sessions that plan and read ranges. UTC on both ends of the wire: a TIMESTAMP then has one textual form
     * for each instant (a zone with daylight saving time has hours that stand for two), so boundaries and
     * rows mean the same instants on every node whatever its own zone is.
     */
    static Properties rangeRead(long netWriteTimeoutSeconds)
    {
        Properties properties = common();
        properties.setProperty("connectionTimeZone", "UTC");
        properties.setProperty("forceConnectionTimeZoneToSession", "true");
        properties.setProperty("sessionVariables", "net_write_timeout=" + netWriteTimeoutSeconds);
        return properties;
    }

    private static Properties common()
    {
        Properties properties = new Properties();
        properties.setProperty("useInformationSchema", "true");
        // Without it an unreachable server blocks for the operating system's time-out.
        properties.setProperty("connectTimeout", "10000");
        properties.setProperty("characterEncoding", "utf8");
        properties.setProperty("tinyInt1isBit", "false");
        return properties;
    }
}
