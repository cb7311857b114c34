package io.mysqlpq.cross.running;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Connects to the two servers that the script started, whose addresses it hands over in the environment.
 */
public record RunningServers(int mysqlPort, String mysqlPassword, long mysqlProcess, int trinoPort, long trinoProcess)
{
    public static RunningServers fromEnvironment()
    {
        return new RunningServers(
                Integer.parseInt(required("PQ_RUNNING_MYSQL_PORT")),
                required("PQ_RUNNING_MYSQL_PASSWORD"),
                Long.parseLong(required("PQ_RUNNING_MYSQL_PROCESS")),
                Integer.parseInt(required("PQ_RUNNING_TRINO_PORT")),
                Long.parseLong(required("PQ_RUNNING_TRINO_PROCESS")));
    }

    public Connection mysql()
            throws SQLException
    {
        Properties login = new Properties();
        login.setProperty("user", "root");
        login.setProperty("password", mysqlPassword);
        return DriverManager.getConnection("jdbc:mysql://127.0.0.1:%d/?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(mysqlPort), login);
    }

    public Connection trino()
            throws SQLException
    {
        return trino("mysql_pq");
    }

    /** @param catalog one that shows the schema tpch */
    public Connection trino(String catalog)
            throws SQLException
    {
        Properties login = new Properties();
        login.setProperty("user", "pq");
        return DriverManager.getConnection("jdbc:trino://127.0.0.1:%d/%s/tpch".formatted(trinoPort, catalog), login);
    }

    private static String required(String name)
    {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException("Environment variable %s is not set: run this through ./pq".formatted(name));
        }
        return value;
    }

    // The password stays out of messages.
    @Override
    public String toString()
    {
        return "MySQL on port %d, Trino on port %d".formatted(mysqlPort, trinoPort);
    }
}
