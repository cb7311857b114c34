package io.mysqlpq.trino.connection;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Limits the connections that read, plan and hold snapshots, and how long each of their steps may take. */
public class ConnectionConfig
{
    private int maxConnectionsPerNode = 16;
    private int maxConnectionsPerServer = 100;
    private Duration connectionQueueTimeout = new Duration(10, MINUTES);
    private Duration connectionWaitTimeout = new Duration(45, SECONDS);
    private Duration planningTimeout = new Duration(1, MINUTES);
    private Duration replyTimeout = new Duration(1, DAYS);
    private Duration connectionIdleTimeout = new Duration(10, SECONDS);
    private Duration connectionMaxLifetime = new Duration(2, MINUTES);
    private Duration netWriteTimeout = new Duration(60, MINUTES);
    private Duration tableLockTimeout = new Duration(10, SECONDS);

    @Min(1)
    @Max(10_000)
    public int getMaxConnectionsPerNode()
    {
        return maxConnectionsPerNode;
    }

    @Config("max-connections-per-node")
    @ConfigDescription("Maximum number of connections that read on one node")
    public ConnectionConfig setMaxConnectionsPerNode(int maxConnectionsPerNode)
    {
        this.maxConnectionsPerNode = maxConnectionsPerNode;
        return this;
    }

    @Min(ConnectionBudget.LEAST)
    @Max(100_000)
    public int getMaxConnectionsPerServer()
    {
        return maxConnectionsPerServer;
    }

    @Config("max-connections-per-server")
    @ConfigDescription("Maximum number of connections for reads, planning and snapshots, on all nodes together; at least the number of workers plus two")
    public ConnectionConfig setMaxConnectionsPerServer(int maxConnectionsPerServer)
    {
        this.maxConnectionsPerServer = maxConnectionsPerServer;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1d")
    public Duration getConnectionQueueTimeout()
    {
        return connectionQueueTimeout;
    }

    @Config("connection-queue-timeout")
    @ConfigDescription("Maximum wait for a free connection; the query then fails")
    public ConnectionConfig setConnectionQueueTimeout(Duration connectionQueueTimeout)
    {
        this.connectionQueueTimeout = connectionQueueTimeout;
        return this;
    }

    @NotNull
    @MinDuration("250ms")
    @MaxDuration("1h")
    public Duration getConnectionWaitTimeout()
    {
        return connectionWaitTimeout;
    }

    @Config("connection-wait-timeout")
    @ConfigDescription("Maximum wait for MySQL to accept a connection")
    public ConnectionConfig setConnectionWaitTimeout(Duration connectionWaitTimeout)
    {
        this.connectionWaitTimeout = connectionWaitTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1h")
    public Duration getPlanningTimeout()
    {
        return planningTimeout;
    }

    @Config("planning-timeout")
    @ConfigDescription("Maximum wait for each reply of MySQL while ranges are planned")
    public ConnectionConfig setPlanningTimeout(Duration planningTimeout)
    {
        this.planningTimeout = planningTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("24d")
    public Duration getReplyTimeout()
    {
        return replyTimeout;
    }

    @Config("reply-timeout")
    @ConfigDescription("Maximum silence of MySQL during a statement; the connection then counts as lost")
    public ConnectionConfig setReplyTimeout(Duration replyTimeout)
    {
        this.replyTimeout = replyTimeout;
        return this;
    }

    @NotNull
    @MinDuration("10s")
    @MaxDuration("1h")
    public Duration getConnectionIdleTimeout()
    {
        return connectionIdleTimeout;
    }

    @Config("connection-idle-timeout")
    @ConfigDescription("Close a connection that is idle this long")
    public ConnectionConfig setConnectionIdleTimeout(Duration connectionIdleTimeout)
    {
        this.connectionIdleTimeout = connectionIdleTimeout;
        return this;
    }

    @NotNull
    @MinDuration("30s")
    @MaxDuration("1d")
    public Duration getConnectionMaxLifetime()
    {
        return connectionMaxLifetime;
    }

    @Config("connection-max-lifetime")
    @ConfigDescription("Maximum age of a pooled connection; the account then logs in again")
    public ConnectionConfig setConnectionMaxLifetime(Duration connectionMaxLifetime)
    {
        this.connectionMaxLifetime = connectionMaxLifetime;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("365d")
    public Duration getNetWriteTimeout()
    {
        return netWriteTimeout;
    }

    @Config("net-write-timeout")
    @ConfigDescription("MySQL ends a read if Trino takes no rows for this time")
    public ConnectionConfig setNetWriteTimeout(Duration netWriteTimeout)
    {
        this.netWriteTimeout = netWriteTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1h")
    public Duration getTableLockTimeout()
    {
        return tableLockTimeout;
    }

    @Config("table-lock-timeout")
    @ConfigDescription("Maximum wait for a table that another statement locks, such as ALTER TABLE")
    public ConnectionConfig setTableLockTimeout(Duration tableLockTimeout)
    {
        this.tableLockTimeout = tableLockTimeout;
        return this;
    }
}
