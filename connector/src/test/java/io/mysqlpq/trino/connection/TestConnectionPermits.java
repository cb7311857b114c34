package io.mysqlpq.trino.connection;

import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class TestConnectionPermits
{
    private static final Duration LONG = new Duration(1, HOURS);

    private final List<ConnectionClock> clocks = new ArrayList<>();

    @AfterEach
    void stopClocks()
    {
        clocks.forEach(ConnectionClock::close);
    }

    @Test
    void testLimit()
    {
        ConnectionPermits permits = permits(2);
        CompletableFuture<Permit> first = permits.acquire(scan("a"));
        CompletableFuture<Permit> second = permits.acquire(scan("b"));
        CompletableFuture<Permit> third = permits.acquire(scan("c"));
        assertThat(first).isDone();
        assertThat(second).isDone();
        // A scan that has no permit waits too.
        assertThat(third).isNotDone();
        assertThat(permits.waiting()).isEqualTo(1);
        first.join().close();
        assertThat(third).isDone();
        assertThat(permits.held()).isEqualTo(2);
    }

    @Test
    void testIdleReaderGivesBackToAScanThatHasNone()
    {
        ConnectionPermits permits = permits(1);
        Permit probe = permits.acquire(scan("probe")).join();
        probe.waitsForConsumer(false, givesBack(probe));
        CompletableFuture<Permit> build = permits.acquire(scan("build"));
        build.join().close();
        awaitGivenBack(permits);
    }

    @Test
    void testReaderGivesNothingBackToItsOwnScan()
            throws Exception
    {
        ConnectionPermits permits = permits(1);
        Permit permit = permits.acquire(scan("a")).join();
        permit.waitsForConsumer(false, givesBack(permit));
        CompletableFuture<Permit> next = permits.acquire(scan("a"));
        // Some ticks longer than a consumer may take.
        assertNotDoneFor(next, 800);
        permit.close();
        assertThat(next).isDone();
    }

    @Test
    void testReaderThatReadsGivesNothingBack()
            throws Exception
    {
        ConnectionPermits permits = permits(1);
        Permit permit = permits.acquire(scan("probe")).join();
        permit.waitsForConsumer(false, givesBack(permit));
        permit.readsOn();
        assertNotDoneFor(permits.acquire(scan("build")), 800);
        assertThat(permits.getGivenBack()).isZero();
    }

    /** For a while: what is left of a range costs memory, and another reader is about to end. */
    @Test
    void testIdleReaderWaitsForThoseThatRead()
            throws Exception
    {
        // A sixtieth of it.
        ConnectionPermits permits = permits(2, new Duration(120, SECONDS));
        Permit idle = permits.acquire(scan("probe")).join();
        Permit reading = permits.acquire(scan("other")).join();
        idle.waitsForConsumer(false, givesBack(idle));
        CompletableFuture<Permit> build = permits.acquire(scan("build"));
        assertNotDoneFor(build, 1000);
        reading.close();
        assertThat(build).isDone();
        assertThat(permits.getGivenBack()).isZero();
        // But not for long.
        CompletableFuture<Permit> another = permits.acquire(scan("another"));
        another.join().close();
        awaitGivenBack(permits);
    }

    /** Such as one whose catalog is shut down. The others wait no longer than they would. */
    @Test
    void testReaderThatFailsToGiveBack()
    {
        ConnectionPermits permits = permits(1, new Duration(1, SECONDS));
        permits.acquire(scan("probe")).join().waitsForConsumer(false, () -> {
            throw new RejectedExecutionException("shut down");
        });
        CompletableFuture<Permit> build = permits.acquire(scan("build"));
        Await.until("it waited long enough", build::isCompletedExceptionally);
        assertThat(build.exceptionNow()).hasMessageContaining("connection-queue-timeout");
        assertThat(permits.getGivenBack()).isZero();
    }

    @Test
    void testWholeStatementsGiveBackLast()
    {
        ConnectionPermits permits = permits(2);
        Permit statement = permits.acquire(scan("statement")).join();
        Permit range = permits.acquire(scan("range")).join();
        AtomicInteger asked = new AtomicInteger();
        statement.waitsForConsumer(true, () -> asked.incrementAndGet() < 0);
        range.waitsForConsumer(false, givesBack(range));
        permits.acquire(scan("build")).join().close();
        assertThat(asked).hasValue(0);
    }

    /** A page may be taken at the moment at which its reader is asked. */
    @Test
    void testReaderThatCannotGiveBackIsAskedAgain()
    {
        ConnectionPermits permits = permits(1);
        Permit permit = permits.acquire(scan("probe")).join();
        AtomicInteger asked = new AtomicInteger();
        BooleanSupplier giveBack = givesBack(permit);
        permit.waitsForConsumer(false, () -> asked.incrementAndGet() > 2 && giveBack.getAsBoolean());
        permits.acquire(scan("build")).join().close();
        assertThat(asked).hasValue(3);
    }

    @Test
    void testUserWhoHoldsFewestIsNext()
    {
        ConnectionPermits permits = permits(3);
        List<Permit> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add(permits.acquire(new ReadingScan("a" + i, "q", "alice", 100)).join());
        }
        CompletableFuture<Permit> alice = permits.acquire(new ReadingScan("a3", "q", "alice", 100));
        CompletableFuture<Permit> bob = permits.acquire(new ReadingScan("b", "r", "bob", 100));
        CompletableFuture<Permit> carol = permits.acquire(new ReadingScan("c", "s", "carol", 100));
        held.get(0).close();
        assertThat(bob).isDone();
        assertThat(alice).isNotDone();
        held.get(1).close();
        assertThat(carol).isDone();
        assertThat(alice).isNotDone();
        held.get(2).close();
        assertThat(alice).isDone();
    }

    @Test
    void testScanThatHoldsFewestIsNext()
    {
        ConnectionPermits permits = permits(2);
        Permit first = permits.acquire(scan("a")).join();
        assertThat(permits.acquire(scan("a"))).isDone();
        CompletableFuture<Permit> third = permits.acquire(scan("a"));
        CompletableFuture<Permit> other = permits.acquire(scan("b"));
        first.close();
        assertThat(other).isDone();
        assertThat(third).isNotDone();
    }

    @Test
    void testShareOfTheCluster()
    {
        ConnectionPermits permits = permits(4);
        permits.limit(new ConnectionShare("c", 1, 1, 100));
        Permit first = permits.acquire(scan("a")).join();
        CompletableFuture<Permit> second = permits.acquire(scan("a"));
        CompletableFuture<Permit> third = permits.acquire(scan("a"));
        CompletableFuture<Permit> fourth = permits.acquire(scan("a"));
        CompletableFuture<Permit> fifth = permits.acquire(scan("a"));
        assertThat(second).isNotDone();
        // Other workers left.
        permits.limit(new ConnectionShare("c", 2, 3, 100));
        assertThat(third).isDone();
        assertThat(fourth).isNotDone();
        // Never more than the node's own limit.
        permits.limit(new ConnectionShare("c", 3, 1000, 100));
        assertThat(fourth).isDone();
        assertThat(fifth).isNotDone();
        // Others joined: what is held is held, and no more is given until enough came back.
        permits.limit(new ConnectionShare("c", 4, 1, 100));
        assertThat(permits.getLimit()).isEqualTo(1);
        first.close();
        second.join().close();
        third.join().close();
        assertThat(fifth).isNotDone();
        fourth.join().close();
        assertThat(fifth).isDone();
    }

    /** A split may wait for long between its planning and its reading. */
    @Test
    void testOldShareDoesNotComeBack()
    {
        ConnectionPermits permits = permits(10);
        permits.limit(new ConnectionShare("c", 7, 2, 100));
        permits.limit(new ConnectionShare("c", 6, 5, 100));
        assertThat(permits.getLimit()).isEqualTo(2);
        // But another coordinator begins anew.
        permits.limit(new ConnectionShare("d", 1, 3, 100));
        assertThat(permits.getLimit()).isEqualTo(3);
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
        Permit first = permits.acquire(new ReadingScan("a", "q", "u", 2)).join();
        assertThat(permits.acquire(new ReadingScan("a", "q", "u", 2))).isDone();
        CompletableFuture<Permit> beyond = permits.acquire(new ReadingScan("a", "q", "u", 2));
        assertThat(beyond).isNotDone();
        // Each scan of it may have one, and other queries have shares of their own.
        Permit guaranteed = permits.acquire(new ReadingScan("b", "q", "u", 2)).join();
        assertThat(permits.acquire(new ReadingScan("c", "other", "u", 2))).isDone();
        assertThat(permits.acquire(new ReadingScan("c", "other", "u", 2))).isDone();
        guaranteed.close();
        assertThat(beyond).isNotDone();
        first.close();
        assertThat(beyond).isDone();
    }

    @Test
    void testWaitOfAScanThatHasNoneEnds()
    {
        ConnectionPermits permits = permits(1, new Duration(300, MILLISECONDS));
        Permit permit = permits.acquire(scan("a")).join();
        CompletableFuture<Permit> ofTheSame = permits.acquire(scan("a"));
        CompletableFuture<Permit> ofAnother = permits.acquire(scan("b"));
        Await.until("the wait is over", ofAnother::isDone);
        assertTrinoExceptionThrownBy(() -> unwrapped(ofAnother))
                .hasErrorCode(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT)
                .hasMessageContaining("connection-queue-timeout");
        // Its scan is being read, which may take long.
        assertThat(ofTheSame).isNotDone();
        permit.close();
        assertThat(ofTheSame).isDone();
        assertThat(permits.waiting()).isZero();
    }

    private static void unwrapped(CompletableFuture<Permit> wait)
            throws Exception
    {
        throw (Exception) wait.exceptionNow();
    }

    private static void assertNotDoneFor(CompletableFuture<Permit> wait, long millis)
            throws Exception
    {
        Thread.sleep(millis);
        assertThat(wait).isNotDone();
    }

    // As a reader does, once it has read the rest.
    private static BooleanSupplier givesBack(Permit permit)
    {
        return () -> {
            permit.close();
            return true;
        };
    }

    // The reader gives its permit back first, and counts after that.
    private static void awaitGivenBack(ConnectionPermits permits)
    {
        Await.until("it was given back", () -> permits.getGivenBack() == 1);
    }

    private static ReadingScan scan(String id)
    {
        return new ReadingScan(id, "query", "user", Integer.MAX_VALUE);
    }

    private ConnectionPermits permits(int maxConnections)
    {
        return permits(maxConnections, LONG);
    }

    private ConnectionPermits permits(int maxConnections, Duration queueTimeout)
    {
        ConnectionConfig config = new ConnectionConfig().setMaxConnectionsPerNode(maxConnections).setConnectionQueueTimeout(queueTimeout);
        ConnectionClock clock = new ConnectionClock(TestingConnections.CATALOG);
        clocks.add(clock);
        return new ConnectionPermits(config, clock);
    }
}
