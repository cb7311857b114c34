package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.execution.QueryManager;
import io.trino.execution.QueryState;
import io.trino.server.BasicQueryInfo;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.BaseNativeScanTest.texts;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Shares reads where connections and memory are short.
 *
 * <p>Counters of catalogs that have one name are told apart by nobody, so only one runs at a time.
 */
@TestInstance(PER_CLASS)
class TestSharedReadsWithinLimits
{
    private static final int ROWS = 20_000;
    private static final String HOLDS_CONNECTION = "SELECT sum(n) FROM sleeps";
    private static final AtomicInteger GROUPS = new AtomicInteger();

    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).start();
        RepeatedReads.createTables(mysql, ROWS);
        mysql.execute("CREATE VIEW test.sleeps AS SELECT k + SLEEP(1) AS n FROM test.u");
    }

    @AfterAll
    void stop()
    {
        mysql.assertErrorLogClean();
        mysql.close();
    }

    @Test
    void testMemoryStaysWithinItsBudget()
            throws Exception
    {
        long budget = 2 << 20;
        // The cache evicts when it has kept a read, of which none takes more.
        long most = budget + budget / 8;
        try (TestingTrino small = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000", "shared-reads-memory", "2MB", "read-reuse-enabled", "true"))) {
            List<CompletableFuture<Void>> clients = IntStream.range(0, 4)
                    .mapToObj(client -> Background.run(() -> IntStream.range(0, 12).forEach(i -> assertThat(small.execute("SELECT k, s, d FROM t WHERE k > %d".formatted(100 * client + i)).getRowCount()).isEqualTo(ROWS - 100 * client - i - 1))))
                    .toList();
            long greatest = 0;
            while (clients.stream().anyMatch(client -> !client.isDone())) {
                long kept = small.counter("SharedReads", "BytesKept");
                assertThat(kept).isLessThanOrEqualTo(most);
                greatest = Math.max(greatest, kept);
            }
            clients.forEach(CompletableFuture::join);
            assertThat(greatest).isGreaterThan(budget / 2);
        }
    }

    // Whoever waits for a query that never began to read goes on when that one is cancelled.
    @ParameterizedTest
    @ValueSource(strings = {"SELECT k, s FROM t WHERE a = 3", "SELECT a, sum(d) FROM t GROUP BY a"})
    void testLeaderThatWaitsForAConnection(String sql)
            throws Exception
    {
        try (TestingTrino narrow = narrow("5m")) {
            MaterializedResult expected = narrow.execute(sql);
            Session group = narrow.session(inGroup());
            CompletableFuture<?> busy = holdConnection(narrow);
            CompletableFuture<?> leader = Background.supply(() -> narrow.execute(group, sql));
            Await.until("the leader waits", () -> narrow.counter("ConnectionPermits", "Waiting") > 0);
            cancel(narrow, sql);
            assertThatThrownBy(leader::join).hasMessageContaining("canceled");
            CompletableFuture<MaterializedResult> next = Background.supply(() -> narrow.execute(group, sql));
            Await.until("the next one waits", () -> narrow.counter("ConnectionPermits", "Waiting") > 0);
            cancel(narrow, HOLDS_CONNECTION);
            assertThatThrownBy(busy::join).hasMessageContaining("canceled");
            assertThat(texts(next.get(1, MINUTES))).isEqualTo(texts(expected));
        }
    }

    // Whoever waited for long enough reads by itself.
    @ParameterizedTest
    @ValueSource(strings = {"SELECT k, s FROM t WHERE a = 3", "SELECT a, sum(d) FROM t GROUP BY a"})
    void testLeaderThatIsSlow(String sql)
            throws Exception
    {
        try (TestingTrino narrow = narrow("1ms")) {
            MaterializedResult expected = narrow.execute(sql);
            Session group = narrow.session(inGroup());
            CompletableFuture<?> busy = holdConnection(narrow);
            List<CompletableFuture<MaterializedResult>> queries = new ArrayList<>();
            long waiting = 0;
            for (int i = 0; i < 2; i++) {
                queries.add(Background.supply(() -> narrow.execute(group, sql)));
                long before = waiting;
                Await.until("it waits for a connection of its own", () -> narrow.counter("ConnectionPermits", "Waiting") > before);
                waiting = narrow.counter("ConnectionPermits", "Waiting");
            }
            cancel(narrow, HOLDS_CONNECTION);
            assertThatThrownBy(busy::join).hasMessageContaining("canceled");
            for (CompletableFuture<MaterializedResult> query : queries) {
                assertThat(texts(query.get(1, MINUTES))).isEqualTo(texts(expected));
            }
        }
    }

    private TestingTrino narrow(String longestWait)
            throws Exception
    {
        return TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000", "max-connections-per-node", "1", "shared-reads-wait", longestWait));
    }

    private static CompletableFuture<?> holdConnection(TestingTrino narrow)
    {
        CompletableFuture<?> busy = Background.supply(() -> narrow.execute(HOLDS_CONNECTION));
        Await.until("the only connection is in use", () -> narrow.counter("ConnectionPermits", "Running") == 1);
        return busy;
    }

    private static void cancel(TestingTrino trino, String sql)
    {
        QueryManager queries = trino.runner().getCoordinator().getQueryManager();
        queries.getQueries().stream().filter(query -> query.getQuery().equals(sql) && !query.getState().isDone()).map(BasicQueryInfo::getQueryId).forEach(queries::cancelQuery);
    }

    // What a cancelled query began others need, or a query of which not all rows are wanted.
    @Test
    void testQueriesAtOnce()
            throws Exception
    {
        List<String> queries = List.of(
                "SELECT a, count(*), sum(d), min(s) FROM t WHERE k > 9 GROUP BY a",
                "SELECT k, s, d FROM t WHERE a < 4 AND k > 9",
                "SELECT b, sum(d) FROM t JOIN u ON t.k = u.k AND t.k > 9 GROUP BY b",
                "SELECT count(*) FROM t v JOIN t w ON v.k = w.k AND v.k > 9",
                "SELECT count(*) FROM (SELECT s FROM t WHERE k > 9 LIMIT 3)");
        Random random = Seed.random();
        Map<String, String> group = inGroup();
        // Splits of 200 queries wait for eight connections.
        try (TestingTrino few = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000", "max-connections-per-node", "8"))) {
            Map<String, List<String>> expected = queries.stream().collect(ImmutableMap.toImmutableMap(sql -> sql, sql -> texts(few.execute(sql))));
            AtomicInteger cancelled = new AtomicInteger();
            List<CompletableFuture<Void>> running = IntStream.range(0, 200)
                    .mapToObj(i -> {
                        String sql = queries.get(random.nextInt(queries.size()));
                        boolean limited = random.nextInt(4) == 0;
                        boolean unlucky = random.nextInt(4) == 0;
                        String asked = (limited ? "SELECT * FROM (%s) LIMIT 1".formatted(sql) : sql) + (unlucky ? " -- unlucky " + i : "");
                        return Background.run(() -> {
                            try {
                                List<String> result = texts(few.execute(few.session(group), asked));
                                assertThat(expected.get(sql)).as(asked).containsAll(result).hasSizeGreaterThanOrEqualTo(1);
                                assertThat(result).as(asked).hasSize(limited ? 1 : expected.get(sql).size());
                            }
                            catch (QueryFailedException e) {
                                assertThat(unlucky).as("%s: %s", asked, e.getMessage()).isTrue();
                                assertThat(e).hasMessageContaining("canceled");
                                cancelled.incrementAndGet();
                            }
                        });
                    })
                    .toList();
            QueryManager manager = few.runner().getCoordinator().getQueryManager();
            while (running.stream().anyMatch(query -> !query.isDone())) {
                List<BasicQueryInfo> unlucky = manager.getQueries().stream().filter(query -> query.getQuery().contains("-- unlucky") && query.getState() == QueryState.RUNNING).toList();
                if (!unlucky.isEmpty()) {
                    manager.cancelQuery(unlucky.get(random.nextInt(unlucky.size())).getQueryId());
                }
                Thread.sleep(50);
            }
            running.forEach(CompletableFuture::join);
            assertThat(cancelled.get()).isPositive();
            assertThat(few.counter("ReadTotals", "ReadByOtherQuery")).isPositive();
        }
    }

    private static Map<String, String> inGroup()
    {
        return ImmutableMap.of("snapshot_group", "g" + GROUPS.incrementAndGet(), "snapshot_group_age", "5m");
    }
}
