package io.mysqlpq.trino.connection;

import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.trino.connection.ConnectionQueue.Permit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TOO_FEW_CONNECTIONS;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.Collections.synchronizedList;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
@Timeout(60)
class TestConnectionQueue
{
    private static final Duration HOUR = new Duration(1, HOURS);
    private static final Duration SECOND = new Duration(1, SECONDS);

    private final ConnectionClock clock = new ConnectionClock(TestingConnections.CATALOG);

    @AfterAll
    void stop()
    {
        clock.close();
    }

    /** Users take turns even if there is only one connection. */
    @Test
    void testUsersTakeTurns()
    {
        ConnectionQueue queue = queue(new AtomicInteger(1), HOUR);
        Permit held = queue.acquire("alice").join();
        // The clock may be the one that grants a permit.
        List<String> order = synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> waits = Stream.of("alice", "alice", "alice", "bob", "bob", "carol")
                .map(user -> queue.acquire(user).thenAccept(permit -> {
                    order.add(user);
                    permit.close();
                }))
                .toList();
        assertThat(queue.waiting()).isEqualTo(6);
        held.close();
        waits.forEach(CompletableFuture::join);
        // The first turn was taken when nobody waited.
        assertThat(order).containsExactly("alice", "bob", "carol", "alice", "bob", "alice");
        assertThat(queue.held()).isZero();
    }

    @Test
    void testUserWhoHoldsFewestIsNext()
    {
        ConnectionQueue queue = queue(new AtomicInteger(2), HOUR);
        Permit first = queue.acquire("alice").join();
        Permit second = queue.acquire("alice").join();
        CompletableFuture<Permit> third = queue.acquire("alice");
        CompletableFuture<Permit> bob = queue.acquire("bob");
        first.close();
        assertThat(bob).isDone();
        assertThat(third).isNotDone();
        second.close();
        assertThat(third).isDone();
    }

    @Test
    void testLimitGrows()
    {
        AtomicInteger limit = new AtomicInteger(1);
        ConnectionQueue queue = queue(limit, HOUR);
        assertThat(queue.acquire("alice")).isDone();
        CompletableFuture<Permit> waiting = queue.acquire("alice");
        assertThat(waiting).isNotDone();
        limit.set(2);
        Await.until("it is noticed", waiting::isDone);
    }

    @Test
    void testGivingUp()
    {
        ConnectionQueue queue = queue(new AtomicInteger(1), HOUR);
        Permit held = queue.acquire("alice").join();
        CompletableFuture<Permit> given = queue.acquire("alice");
        CompletableFuture<Permit> next = queue.acquire("alice");
        given.cancel(false);
        held.close();
        held.close();
        next.join().close();
        assertThat(queue.held()).isZero();
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void testWaitEnds()
    {
        ConnectionQueue queue = queue(new AtomicInteger(1), new Duration(200, MILLISECONDS));
        Permit held = queue.acquire("alice").join();
        assertTrinoExceptionThrownBy(() -> ConnectionQueue.await(queue.acquire("bob")))
                .hasErrorCode(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT)
                .hasMessageContaining("connection-queue-timeout");
        held.close();
        assertThat(queue.acquire("bob")).isDone();
    }

    /** Those who wait would wait for ever. */
    @Test
    void testClockGoesOnAfterAFailure()
    {
        AtomicInteger limit = new AtomicInteger(1);
        ConnectionQueue queue = new ConnectionQueue("of a test", () -> 1 / limit.get(), HOUR, HOUR, clock);
        assertThat(queue.acquire("alice")).isDone();
        CompletableFuture<Permit> waiting = queue.acquire("alice");
        limit.set(0);
        Await.until("it fails", waiting::isCompletedExceptionally);
        assertThat(waiting.exceptionNow()).hasMessageContaining("by zero");
        limit.set(1);
        CompletableFuture<Permit> patient = queue.acquire("alice");
        assertThat(patient).isNotDone();
        limit.set(0);
        Await.until("it fails too", patient::isCompletedExceptionally);
    }

    /** Such as a long write by a connection of the reserve for metadata. */
    @Test
    void testPermitThatIsHeldTooLongCountsNoMore()
    {
        ConnectionQueue queue = new ConnectionQueue("of a test", () -> 1, HOUR, new Duration(200, MILLISECONDS), clock);
        Permit write = queue.acquire("alice").join();
        write.opened();
        Permit metadata = ConnectionQueue.await(queue.acquire("bob"));
        write.close();
        assertThat(queue.held()).isEqualTo(1);
        metadata.close();
        assertThat(queue.held()).isZero();
    }

    @Test
    void testNoConnectionForEachWorker()
    {
        ConnectionQueue queue = new ConnectionQueue("of a test", () -> ConnectionBudget.of(4, 3, 16).snapshots(), SECOND, HOUR, clock);
        assertTrinoExceptionThrownBy(() -> ConnectionQueue.await(queue.acquire("alice")))
                .hasErrorCode(MYSQL_PQ_TOO_FEW_CONNECTIONS)
                .hasMessageContaining("max-connections-per-server is 4, but 3 workers need at least 5 connections");
        assertThat(queue.waiting()).isZero();
    }

    private ConnectionQueue queue(AtomicInteger limit, Duration timeout)
    {
        return new ConnectionQueue("of a test", limit::get, timeout, HOUR, clock);
    }
}
