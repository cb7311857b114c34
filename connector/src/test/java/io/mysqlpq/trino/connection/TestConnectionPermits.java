package io.mysqlpq.trino.connection;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class TestConnectionPermits
{
    @Test
    void testLimit()
    {
        ConnectionPermits permits = permits(2);
        CompletableFuture<Permit> first = permits.acquire(scan("a"));
        CompletableFuture<Permit> second = permits.acquire(scan("a"));
        CompletableFuture<Permit> third = permits.acquire(scan("a"));
        assertThat(first).isDone();
        assertThat(second).isDone();
        assertThat(third).isNotDone();
        assertThat(permits.waiting()).isEqualTo(1);
        first.join().close();
        assertThat(third).isDone();
        assertThat(permits.held()).isEqualTo(2);
    }

    @Test
    void testEachScanHasOneBeyondTheLimit()
    {
        ConnectionPermits permits = permits(1);
        assertThat(permits.acquire(scan("probe"))).isDone();
        CompletableFuture<Permit> build = permits.acquire(scan("build"));
        assertThat(build).isDone();
        CompletableFuture<Permit> next = permits.acquire(scan("build"));
        assertThat(next).isNotDone();
        // The probe side still holds the only shared permit.
        build.join().close();
        assertThat(next).isDone();
    }

    @Test
    void testPermitBeyondTheLimitIsNotShared()
    {
        ConnectionPermits permits = permits(1);
        Permit shared = permits.acquire(scan("a")).join();
        Permit beyond = permits.acquire(scan("b")).join();
        CompletableFuture<Permit> waiting = permits.acquire(scan("a"));
        beyond.close();
        assertThat(waiting).isNotDone();
        shared.close();
        assertThat(waiting).isDone();
    }

    @Test
    void testShareOfTheCluster()
    {
        ConnectionPermits permits = permits(4);
        permits.limit(1);
        Permit first = permits.acquire(scan("a")).join();
        CompletableFuture<Permit> second = permits.acquire(scan("a"));
        CompletableFuture<Permit> third = permits.acquire(scan("a"));
        CompletableFuture<Permit> fourth = permits.acquire(scan("a"));
        CompletableFuture<Permit> fifth = permits.acquire(scan("a"));
        assertThat(second).isNotDone();
        // Other workers left.
        permits.limit(3);
        assertThat(third).isDone();
        assertThat(fourth).isNotDone();
        // Never more than the node's own limit.
        permits.limit(1000);
        assertThat(fourth).isDone();
        assertThat(fifth).isNotDone();
        // Others joined: what is held is held, and no more is given until enough came back.
        permits.limit(0);
        assertThat(permits.getLimit()).isEqualTo(1);
        first.close();
        second.join().close();
        third.join().close();
        assertThat(fifth).isNotDone();
        fourth.join().close();
        assertThat(fifth).isDone();
    }

    @Test
    void testClosingTwiceCountsOnce()
    {
        ConnectionPermits permits = permits(1);
        Permit permit = permits.acquire(scan("a")).join();
        permit.close();
        permit.close();
        assertThat(permits.acquire(scan("a"))).isDone();
        assertThat(permits.acquire(scan("a"))).isNotDone();
    }

    @Test
    void testCancelledWaiterGetsNothing()
    {
        ConnectionPermits permits = permits(1);
        Permit permit = permits.acquire(scan("a")).join();
        CompletableFuture<Permit> cancelled = permits.acquire(scan("a"));
        CompletableFuture<Permit> waiting = permits.acquire(scan("a"));
        cancelled.cancel(false);
        permit.close();
        assertThat(waiting).isCompleted();
        waiting.join().close();
        assertThat(permits.held()).isZero();
    }

    @Test
    void testShareOfAQuery()
    {
        ConnectionPermits permits = permits(10);
        Permit first = permits.acquire(new ReadingScan("a", "q", 2)).join();
        assertThat(permits.acquire(new ReadingScan("a", "q", 2))).isDone();
        CompletableFuture<Permit> beyond = permits.acquire(new ReadingScan("a", "q", 2));
        assertThat(beyond).isNotDone();
        // Each scan of it may have one, and other queries have shares of their own.
        Permit guaranteed = permits.acquire(new ReadingScan("b", "q", 2)).join();
        assertThat(permits.acquire(new ReadingScan("c", "other", 2))).isDone();
        assertThat(permits.acquire(new ReadingScan("c", "other", 2))).isDone();
        guaranteed.close();
        assertThat(beyond).isNotDone();
        first.close();
        assertThat(beyond).isDone();
    }

    private static ReadingScan scan(String id)
    {
        return new ReadingScan(id, "query", Integer.MAX_VALUE);
    }

    private static ConnectionPermits permits(int maxConnections)
    {
        return new ConnectionPermits(new ConnectionSettings("test", "jdbc:mysql://example.net", ImmutableMap.of(), new SessionSetup(new Duration(1, SECONDS), new Duration(1, SECONDS)), maxConnections, new Duration(1, SECONDS), new Duration(1, SECONDS), new Duration(1, SECONDS), new Duration(10, SECONDS), new Duration(60, SECONDS)));
    }
}
