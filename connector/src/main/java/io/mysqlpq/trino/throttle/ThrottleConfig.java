package io.mysqlpq.trino.throttle;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Holds the limits beyond which a server is left alone. */
public class ThrottleConfig
{
    private int throttleThreadsRunning;
    private int throttleThreadsRunningResume;
    private Duration throttleReplicaLag = new Duration(0, MILLISECONDS);
    private Duration throttleReplicaLagResume = new Duration(0, MILLISECONDS);
    private Duration throttlePollInterval = new Duration(1, SECONDS);
    private Duration throttleWaitTimeout = new Duration(5, MINUTES);
    private Duration maxReplicaLag = new Duration(0, MILLISECONDS);
    private LagHandling replicaLagHandling = LagHandling.REFUSE;
    private boolean groupMemberCheckEnabled = true;

    @Min(0)
    @Max(100_000)
    public int getThrottleThreadsRunning()
    {
        return throttleThreadsRunning;
    }

    @Config("throttle-threads-running")
    @ConfigDescription("Open no further range while MySQL's Threads_running is this high; 0 disables the throttle")
    public ThrottleConfig setThrottleThreadsRunning(int throttleThreadsRunning)
    {
        this.throttleThreadsRunning = throttleThreadsRunning;
        return this;
    }

    @Min(0)
    @Max(100_000)
    public int getThrottleThreadsRunningResume()
    {
        return throttleThreadsRunningResume;
    }

    @Config("throttle-threads-running-resume")
    @ConfigDescription("Open ranges again at this value of Threads_running; 0 is four fifths of throttle-threads-running")
    public ThrottleConfig setThrottleThreadsRunningResume(int throttleThreadsRunningResume)
    {
        this.throttleThreadsRunningResume = throttleThreadsRunningResume;
        return this;
    }

    @AssertTrue(message = "throttle-threads-running-resume must not be over throttle-threads-running")
    public boolean isThreadsRunningResumeValid()
    {
        return throttleThreadsRunningResume <= throttleThreadsRunning;
    }

    @NotNull
    @MaxDuration("365d")
    public Duration getThrottleReplicaLag()
    {
        return throttleReplicaLag;
    }

    @Config("throttle-replica-lag")
    @ConfigDescription("Open no further range while the replica lags this much; 0ms disables the throttle")
    public ThrottleConfig setThrottleReplicaLag(Duration throttleReplicaLag)
    {
        this.throttleReplicaLag = throttleReplicaLag;
        return this;
    }

    @NotNull
    @MaxDuration("365d")
    public Duration getThrottleReplicaLagResume()
    {
        return throttleReplicaLagResume;
    }

    @Config("throttle-replica-lag-resume")
    @ConfigDescription("Open ranges again at this lag; 0ms is four fifths of throttle-replica-lag")
    public ThrottleConfig setThrottleReplicaLagResume(Duration throttleReplicaLagResume)
    {
        this.throttleReplicaLagResume = throttleReplicaLagResume;
        return this;
    }

    @AssertTrue(message = "throttle-replica-lag-resume must not be over throttle-replica-lag")
    public boolean isReplicaLagResumeValid()
    {
        return throttleReplicaLagResume.compareTo(throttleReplicaLag) <= 0;
    }

    @NotNull
    @MinDuration("10ms")
    @MaxDuration("1m")
    public Duration getThrottlePollInterval()
    {
        return throttlePollInterval;
    }

    @Config("throttle-poll-interval")
    @ConfigDescription("How long a node caches MySQL's load, lag and group state")
    public ThrottleConfig setThrottlePollInterval(Duration throttlePollInterval)
    {
        this.throttlePollInterval = throttlePollInterval;
        return this;
    }

    @NotNull
    @MinDuration("100ms")
    @MaxDuration("1d")
    public Duration getThrottleWaitTimeout()
    {
        return throttleWaitTimeout;
    }

    @Config("throttle-wait-timeout")
    @ConfigDescription("Maximum wait for a busy or lagging server; the query then fails")
    public ThrottleConfig setThrottleWaitTimeout(Duration throttleWaitTimeout)
    {
        this.throttleWaitTimeout = throttleWaitTimeout;
        return this;
    }

    @NotNull
    @MaxDuration("365d")
    public Duration getMaxReplicaLag()
    {
        return maxReplicaLag;
    }

    @Config("max-replica-lag")
    @ConfigDescription("Maximum lag of the replica when a query begins; 0ms accepts any lag")
    public ThrottleConfig setMaxReplicaLag(Duration maxReplicaLag)
    {
        this.maxReplicaLag = maxReplicaLag;
        return this;
    }

    @NotNull
    public LagHandling getReplicaLagHandling()
    {
        return replicaLagHandling;
    }

    @Config("replica-lag-handling")
    @ConfigDescription("If the replica lags more than max-replica-lag: REFUSE fails the query, WAIT waits up to throttle-wait-timeout")
    public ThrottleConfig setReplicaLagHandling(LagHandling replicaLagHandling)
    {
        this.replicaLagHandling = replicaLagHandling;
        return this;
    }

    public boolean isGroupMemberCheckEnabled()
    {
        return groupMemberCheckEnabled;
    }

    @Config("group-member-check-enabled")
    @ConfigDescription("Refuse to read a group member that is recovering or has failed, if the account may see its state")
    public ThrottleConfig setGroupMemberCheckEnabled(boolean groupMemberCheckEnabled)
    {
        this.groupMemberCheckEnabled = groupMemberCheckEnabled;
        return this;
    }
}
