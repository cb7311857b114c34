package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Names the replicas that queries read from, and says when one is left out. */
public class RoutingConfig
{
    private List<String> replicaHosts = ImmutableList.of();
    private boolean readFromPrimary;
    private Duration replicaAnswerTimeout = new Duration(2, SECONDS);
    private Duration replicaListTtl = new Duration(30, SECONDS);
    private boolean readAfterWrite;
    private Duration readAfterWriteTimeout = new Duration(10, SECONDS);
    private Duration oneMomentTimeout = new Duration(250, MILLISECONDS);

    @NotNull
    @Size(max = 64, message = "replica-hosts must have at most 64 entries")
    public List<String> getReplicaHosts()
    {
        return replicaHosts;
    }

    @Config("replica-hosts")
    @ConfigDescription("Replicas that queries read from, as [dns:]host[:port][=weight], separated by commas; connection-url is then the primary")
    public RoutingConfig setReplicaHosts(List<String> replicaHosts)
    {
        this.replicaHosts = replicaHosts.stream().map(String::strip).filter(host -> !host.isEmpty()).collect(toImmutableList());
        return this;
    }

    @AssertTrue(message = "replica-hosts must be a list of [dns:]host[:port][=weight], with weights from 1 to 1000")
    public boolean isReplicaHostsValid()
    {
        try {
            entries();
            return true;
        }
        catch (IllegalArgumentException e) {
            return false;
        }
    }

    List<ReplicaEntry> entries()
    {
        return replicaHosts.stream().map(ReplicaEntry::parse).collect(toImmutableList());
    }

    public boolean isReadFromPrimary()
    {
        return readFromPrimary;
    }

    @Config("read-from-primary")
    @ConfigDescription("Read from the server of connection-url if no replica is fit; otherwise such queries fail")
    public RoutingConfig setReadFromPrimary(boolean readFromPrimary)
    {
        this.readFromPrimary = readFromPrimary;
        return this;
    }

    @NotNull
    @MinDuration("10ms")
    @MaxDuration("1m")
    public Duration getReplicaAnswerTimeout()
    {
        return replicaAnswerTimeout;
    }

    @Config("replica-answer-timeout")
    @ConfigDescription("Longest wait for replicas to tell their state when a query begins")
    public RoutingConfig setReplicaAnswerTimeout(Duration replicaAnswerTimeout)
    {
        this.replicaAnswerTimeout = replicaAnswerTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1d")
    public Duration getReplicaListTtl()
    {
        return replicaListTtl;
    }

    @Config("replica-list-ttl")
    @ConfigDescription("How long the addresses of a DNS name of replica-hosts are cached")
    public RoutingConfig setReplicaListTtl(Duration replicaListTtl)
    {
        this.replicaListTtl = replicaListTtl;
        return this;
    }

    public boolean isReadAfterWrite()
    {
        return readAfterWrite;
    }

    @Config("read-after-write")
    @ConfigDescription("Read only from a replica that has all that the primary had when the query began")
    public RoutingConfig setReadAfterWrite(boolean readAfterWrite)
    {
        this.readAfterWrite = readAfterWrite;
        return this;
    }

    @NotNull
    @MinDuration("0s")
    @MaxDuration("1h")
    public Duration getReadAfterWriteTimeout()
    {
        return readAfterWriteTimeout;
    }

    @Config("read-after-write-timeout")
    @ConfigDescription("Longest wait for a replica to have all that the primary had")
    public RoutingConfig setReadAfterWriteTimeout(Duration readAfterWriteTimeout)
    {
        this.readAfterWriteTimeout = readAfterWriteTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1ms")
    @MaxDuration("1s")
    public Duration getOneMomentTimeout()
    {
        return oneMomentTimeout;
    }

    @Config("one-moment-timeout")
    @ConfigDescription("Longest wait for replicas to show the same transactions; the query then reads from fewer of them")
    public RoutingConfig setOneMomentTimeout(Duration oneMomentTimeout)
    {
        this.oneMomentTimeout = oneMomentTimeout;
        return this;
    }
}
