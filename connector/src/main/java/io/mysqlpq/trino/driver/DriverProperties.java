package io.mysqlpq.trino.driver;

import io.mysqlpq.trino.connection.KeepAliveSockets;

import java.util.Properties;

import static com.mysql.cj.conf.PropertyKey.socketFactory;
import static com.mysql.cj.conf.PropertyKey.socketTimeout;
import static com.mysql.cj.conf.PropertyKey.socksProxyHost;

/** Lists the Connector/J settings that sessions of this connector run with. */
public final class DriverProperties
{
    private DriverProperties()
    {}

    /** Sessions for writes and SQL that the user wrote. Their time zone is that of this JVM. */
    public static Properties local(DriverConfig config, UrlProperties url)
    {
        Properties properties = utc(config, url);
        properties.setProperty("connectionTimeZone", "LOCAL");
        return properties;
    }

    /** Sessions for statements over base-jdbc that read or compare instants. */
    public static Properties utc(DriverConfig config, UrlProperties url)
    {
        Properties properties = common(config, url);
        properties.setProperty("rewriteBatchedStatements", "true");
        // Tells the server that LOAD DATA LOCAL may come. A server that asks for a file of this machine gets none: there is no such folder.
        properties.setProperty("allowLoadLocalInfileInPath", "/nowhere");
        if (config.isAutoReconnect()) {
            properties.setProperty("autoReconnect", "true");
            properties.setProperty("maxReconnects", String.valueOf(config.getMaxReconnects()));
        }
        return properties;
    }

    /** Sessions that plan and read. */
    public static Properties read(DriverConfig config, UrlProperties url)
    {
        Properties properties = common(config, url);
        // The driver asks for it once, to know how strings are quoted.
        properties.setProperty("sessionVariables", "sql_mode=''");
        // The driver would set net_write_timeout for each streamed result, and back after it, to values of its own.
        properties.setProperty("netTimeoutForStreamingResults", "0");
        return properties;
    }

    private static Properties common(DriverConfig config, UrlProperties url)
    {
        Properties properties = new Properties();
        properties.setProperty("useInformationSchema", String.valueOf(config.isUseInformationSchema()));
        // Without it an unreachable server blocks for the operating system's time-out.
        String connectionTimeout = String.valueOf(config.getConnectionTimeout().toMillis());
        properties.setProperty("connectTimeout", connectionTimeout);
        // This limits each reply while the session is opened; whoever uses the session then sets another limit. A property would override the URL.
        if (!url.sets(socketTimeout)) {
            properties.setProperty("socketTimeout", connectionTimeout);
        }
        // The driver takes its own for a proxy only if none is set.
        if (!url.sets(socketFactory) && !url.sets(socksProxyHost)) {
            properties.setProperty("socketFactory", KeepAliveSockets.class.getName());
        }
        properties.setProperty("characterEncoding", "utf8");
        // The server knows its character sets exactly; to several the driver has only similar ones.
        properties.setProperty("characterSetResults", "UTF-8");
        // A TIMESTAMP then has one text for each instant: in a zone with daylight saving time some hours stand for two.
        properties.setProperty("connectionTimeZone", "UTC");
        properties.setProperty("forceConnectionTimeZoneToSession", "true");
        properties.setProperty("tinyInt1isBit", "false");
        // The driver would replace JDBC's escapes in quoted names too; MySQL knows most of them itself.
        properties.setProperty("enableEscapeProcessing", "false");
        properties.setProperty("processEscapeCodesForPrepStmts", "false");
        return properties;
    }
}
