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
    @ConfigDescription("Connections that a node reads through at once")
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
    @ConfigDescription("Connections that all nodes together have at once for reading, planning and snapshots; at least one for each worker and two more")
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
    @ConfigDescription("Longest wait for one of the connections that max-connections-per-server allows")
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
    @ConfigDescription("Longest wait for MySQL to accept a connection")
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
    @ConfigDescription("Longest wait for each of MySQL's replies while ranges are planned")
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
    @ConfigDescription("Longest silence of MySQL while a statement reads or writes; then its connection counts as lost")
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
    @ConfigDescription("Time after which an idle connection is closed")
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
    @ConfigDescription("Time after which a connection is used no more, and its account has to log in again")
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
    @ConfigDescription("Longest time for which Trino may leave a running read unread before MySQL ends it")
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
    @ConfigDescription("Longest wait for a table that another statement has locked, such as ALTER TABLE")
    public ConnectionConfig setTableLockTimeout(Duration tableLockTimeout)
    {
        this.tableLockTimeout = tableLockTimeout;
        return this;
    }
}
