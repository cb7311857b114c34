package io.mysqlpq.trino.throttle;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Sql;
import io.trino.spi.connector.ConnectorSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.Collections.synchronizedList;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestServerAdmission
{
    private MysqlServer mysql;
    // Threads_running while nobody does anything but look.
    private int idle;
    // Statements of this test that count as those of an admission do.
    private final AtomicLong looks = new AtomicLong();
    // Ids of sessions that run a statement, which ends only when it is killed.
    private final Deque<Long> busy = new ArrayDeque<>();

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(false).start();
        idle = (int) mysql.status("Threads_running");
    }

    @AfterEach
    void endBusySessions()
    {
        while (!busy.isEmpty()) {
            endBusySession();
        }
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    @Test
    void testHoldsBackUntilFewThreadsRun()
    {
        beginBusySessions(6);
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(idle + 6).setThrottleThreadsRunningResume(idle + 3))) {
            CompletableFuture<Void> query = server.query(ImmutableMap.of());
            CompletableFuture<Void> range = server.range();
            awaitPolls(3);
            assertThat(query).isNotDone();
            assertThat(range).isNotDone();
            assertThat(server.admission().getWaiting()).isEqualTo(2);
            // Below the upper bound and over the lower one, though the looks from here may count too.
            endBusySession();
            endBusySession();
            awaitPolls(3);
            assertThat(query).isNotDone();
            endBusySession();
            query.join();
            range.join();
            // Over the lower bound and below the upper one, but not held back by now.
            beginBusySessions(1);
            server.range().join();
            assertThat(server.admission().getHeldBack()).isEqualTo(2);
            assertThat(server.admission().getWaiting()).isZero();
        }
    }

    @Test
    void testWaitTimeout()
    {
        beginBusySessions(2);
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(idle + 2).setThrottleWaitTimeout(new Duration(200, MILLISECONDS)))) {
            assertTrinoExceptionThrownBy(() -> join(server.range()))
                    .hasErrorCode(MYSQL_PQ_SERVER_BUSY)
                    .hasMessageContaining("200.00ms")
                    .hasMessageContaining("Threads_running is %d. Reading stops at %d".formatted(idle + 2, idle + 2))
                    .hasMessageContaining("throttle-threads-running")
                    .hasMessageContaining("throttle-wait-timeout");
            assertThat(server.admission().getRefused()).isEqualTo(1);
        }
    }

    @Test
    void testAsksOnceInAnInterval()
    {
        beginBusySessions(1);
        long before = polls();
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(100).setThrottlePollInterval(new Duration(1, MINUTES)))) {
            begin(server, 100).forEach(CompletableFuture::join);
            assertThat(polls() - before).isEqualTo(1);
        }
    }

    @Test
    void testAsksOnceInAnIntervalHoweverManyWait()
    {
        beginBusySessions(1);
        long before = polls();
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(idle + 1).setThrottlePollInterval(new Duration(1, MINUTES)))) {
            List<CompletableFuture<Void>> waiting = begin(server, 100);
            Await.until("all wait", () -> server.admission().getWaiting() == waiting.size());
            assertThat(polls() - before).isEqualTo(1);
        }
    }

    /** The rule among accounts, as far as the state of a group is concerned. */
    @Test
    void testAsksOnceInAnIntervalWithoutThePrivilege()
    {
        mysql.execute("CREATE USER unprivileged");
        try (AdmittedServer server = new AdmittedServer(mysql, new UserIsAccount(), config().setThrottlePollInterval(new Duration(1, MINUTES)))) {
            for (int i = 0; i < 20; i++) {
                server.queryOf("unprivileged").join();
            }
            assertThat(value("SELECT sum_errors FROM performance_schema.events_statements_summary_by_account_by_event_name WHERE user = 'unprivileged' AND event_name = 'statement/sql/select'")).isEqualTo(1);
        }
        finally {
            mysql.execute("DROP USER unprivileged");
        }
    }

    /** A reading that fails for one of them says nothing of the server. */
    @Test
    void testTroubleOfOneAccountIsNotThatOfOthers()
    {
        mysql.execute("CREATE USER locked ACCOUNT LOCK", "CREATE USER limited WITH MAX_USER_CONNECTIONS 1", "CREATE USER reader");
        try (AdmittedServer server = new AdmittedServer(mysql, new UserIsAccount(), config().setThrottleThreadsRunning(100).setThrottlePollInterval(new Duration(1, MINUTES)));
                Connection _ = mysql.connect("limited", "")) {
            CompletableFuture<Void> _ = server.queryOf("locked");
            CompletableFuture<Void> limited = server.queryOf("limited");
            assertThat(server.queryOf("reader")).succeedsWithin(java.time.Duration.ofSeconds(20));
            assertThat(limited).isNotDone();
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        finally {
            mysql.execute("DROP USER locked", "DROP USER limited", "DROP USER reader");
        }
    }

    /** What one reading lets in, the next one shows: else all of them would begin at once. */
    @Test
    void testWaitersDoNotRushIn()
    {
        beginBusySessions(4);
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottlePollInterval(new Duration(200, MILLISECONDS)).setThrottleThreadsRunning(idle + 4).setThrottleThreadsRunningResume(idle + 2))) {
            // How often MySQL was asked by then, on the thread that asks.
            List<Long> admitted = synchronizedList(new ArrayList<>());
            List<CompletableFuture<Void>> ranges = IntStream.range(0, 8).mapToObj(_ -> server.range().thenRun(() -> admitted.add(polls()))).toList();
            Await.until("the ranges wait", () -> server.admission().getWaiting() == 8);
            endBusySession();
            endBusySession();
            ranges.forEach(CompletableFuture::join);
            assertThat(admitted).hasSize(8);
            for (int i = 2; i < admitted.size(); i++) {
                assertThat(admitted.get(i)).as("%s", admitted).isGreaterThan(admitted.get(i - 2));
            }
        }
    }

    private static List<CompletableFuture<Void>> begin(AdmittedServer server, int count)
    {
        List<CompletableFuture<Void>> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            begun.add(server.range());
            begun.add(server.query(ImmutableMap.of()));
        }
        return begun;
    }

    /** Otherwise one side of a join could hold MySQL's threads while it waits for the other. */
    @Test
    void testScanThatReadsNothingGoesOn()
    {
        beginBusySessions(1);
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(idle + 1))) {
            AtomicBoolean exempt = new AtomicBoolean(true);
            server.admission().admitRange(server.session(ImmutableMap.of()), exempt::get).join();
            exempt.set(false);
            CompletableFuture<Void> range = server.admission().admitRange(server.session(ImmutableMap.of()), exempt::get);
            awaitPolls(3);
            assertThat(range).isNotDone();
            exempt.set(true);
            range.join();
        }
    }

    @Test
    void testQueryThatHasBegunGoesOn()
    {
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(idle + 1))) {
            ConnectorSession session = server.session(ImmutableMap.of());
            server.admission().admitQuery(session).join();
            beginBusySessions(1);
            // What was read before it holds for a moment.
            Await.until("other queries wait", () -> {
                CompletableFuture<Void> _ = server.query(ImmutableMap.of());
                return server.admission().getWaiting() > 0;
            });
            server.admission().admitQuery(session).join();
            server.admission().cleanupQuery(session);
            CompletableFuture<Void> again = server.admission().admitQuery(session);
            awaitPolls(3);
            assertThat(again).isNotDone();
        }
    }

    @Test
    void testGivingUp()
    {
        beginBusySessions(1);
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(idle + 1))) {
            CompletableFuture<Void> cancelled = server.range();
            Await.until("the range waits", () -> server.admission().getWaiting() == 1);
            cancelled.cancel(false);
            Await.until("nothing waits", () -> server.admission().getWaiting() == 0);
        }
    }

    @Test
    void testShutdown()
    {
        beginBusySessions(1);
        CompletableFuture<Void> waiting;
        try (AdmittedServer server = new AdmittedServer(mysql, config().setThrottleThreadsRunning(idle + 1))) {
            waiting = server.range();
            Await.until("the range waits", () -> server.admission().getWaiting() == 1);
        }
        assertTrinoExceptionThrownBy(() -> join(waiting)).hasErrorCode(MYSQL_PQ_SERVER_BUSY).hasMessageContaining("shut down");
    }

    @Test
    void testThrottlesThatAreOffAskNothing()
    {
        long before = polls();
        try (AdmittedServer server = new AdmittedServer(mysql, config().setGroupMemberCheckEnabled(false))) {
            assertThat(server.query(ImmutableMap.of())).isCompleted();
            assertThat(server.range()).isCompleted();
        }
        assertThat(polls()).isEqualTo(before);
    }

    private static ThrottleConfig config()
    {
        return new ThrottleConfig().setThrottlePollInterval(new Duration(20, MILLISECONDS)).setThrottleWaitTimeout(new Duration(60, SECONDS));
    }

    // As the future gives it, without what wraps it.
    static void join(CompletableFuture<Void> future)
    {
        try {
            future.join();
        }
        catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private void awaitPolls(int more)
    {
        long before = polls();
        Await.until("MySQL is asked again", () -> polls() >= before + more);
    }

    // Counted when a statement begins: performance_schema counts it some time after its answer.
    private long polls()
    {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Com_show_status'")) {
            row.next();
            return row.getLong(2) - looks.incrementAndGet();
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private long value(String sql)
    {
        try (Connection connection = mysql.connect()) {
            return Long.parseLong(Sql.value(connection, sql));
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void beginBusySessions(int count)
    {
        for (int i = 0; i < count; i++) {
            beginBusySession();
        }
        Await.until("the sessions run", () -> mysql.status("Threads_running") >= busy.size() + idle);
    }

    private boolean isThere(long id)
    {
        try (Connection connection = mysql.connect()) {
            return !Sql.value(connection, "SELECT COUNT(*) FROM performance_schema.processlist WHERE id = " + id).equals("0");
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void beginBusySession()
    {
        CompletableFuture<Long> id = new CompletableFuture<>();
        CompletableFuture<Void> _ = Background.run(() -> {
            try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
                try (ResultSet row = statement.executeQuery("SELECT CONNECTION_ID()")) {
                    row.next();
                    id.complete(row.getLong(1));
                }
                statement.execute("SELECT SLEEP(600)");
            }
            catch (SQLException e) {
                // Killed.
                id.completeExceptionally(e);
            }
        });
        busy.add(id.join());
    }

    private void endBusySession()
    {
        long id = busy.remove();
        mysql.execute("KILL " + id);
        Await.until("the session ended", () -> !isThere(id));
    }
}
