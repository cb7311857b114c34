package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Replication;
import io.trino.Session;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.collect.Iterables.getOnlyElement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the recipe of docs/moving-data.md: tables are copied while clients write, and MySQL's replication goes on behind the copy. It stops at a change
 * that was lost or comes twice.
 */
@TestInstance(PER_CLASS)
class TestCopyAndStream
{
    private static final int ACCOUNTS = 2_000;
    private static final String POSITION = "SELECT gtid_executed, opened, server FROM TABLE(mysql_pq.system.snapshot_position())";
    private static final Map<String, String> COLUMNS = ImmutableMap.of("accounts", "id, balance, name", "moves", "id, source, target, at");
    private static final List<String> DEFINITIONS = List.of(
            "CREATE SCHEMA test",
            "CREATE TABLE test.accounts (id INT PRIMARY KEY, balance DECIMAL(20, 2) NOT NULL, name VARCHAR(50))",
            "CREATE TABLE test.moves (id BIGINT PRIMARY KEY, source INT NOT NULL, target INT NOT NULL, at DATETIME(6))");

    @AutoClose
    private final Replication replication = new Replication(0);
    private final MysqlServer source = replication.source();
    @AutoClose
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        source.execute(DEFINITIONS.toArray(String[]::new));
        source.execute("INSTALL PLUGIN mysql_pq_snapshots SONAME 'mysql_pq.so'");
        source.execute("INSERT INTO test.accounts WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT /*+ SET_VAR(cte_max_recursion_depth = 10000) */ i, 1000, CONCAT('account ', i) FROM s".formatted(ACCOUNTS));
        trino = TestingTrino.oneNode(source, ImmutableMap.of("target-rows-per-split", "200"));
    }

    @AfterAll
    void assertErrorLogClean()
    {
        source.assertErrorLogClean();
    }

    @Test
    void testNothingIsLostOrComesTwice()
            throws Exception
    {
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger moves = new AtomicInteger();
        List<FutureTask<Void>> writers = startWriters(moves, stopped);
        try (MysqlServer target = Replication.server(2)) {
            target.execute(DEFINITIONS.toArray(String[]::new));
            trino.runner().createCatalog("target", "mysql_pq", Map.of(
                    "connection-url", target.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                    "connection-user", "root"));
            awaitMore(moves);
            Session session = copying("stream");
            MaterializedRow position = position(session);
            session = heldTo(position.getField(0), session);
            for (String table : COLUMNS.keySet()) {
                awaitMore(moves);
                trino.execute(session, "INSERT INTO target.test.%1$s SELECT * FROM mysql_pq.test.%1$s".formatted(table));
            }
            awaitMore(moves);

            target.execute("SET GLOBAL gtid_purged = '+%s'".formatted(position.getField(0)));
            replication.start(target);
            awaitMore(moves);
            stopped.set(true);
            await(writers);
            // It has to apply what was written in all this time.
            replication.await(target, Duration.ofMinutes(2));
            assertThat(target.values("SELECT last_error_message FROM performance_schema.replication_applier_status_by_worker WHERE last_error_number <> 0")).isEmpty();
            for (String table : COLUMNS.keySet()) {
                assertThat(checksum(target, table)).isEqualTo(checksum(source, table));
            }
        }
        finally {
            stopped.set(true);
            await(writers);
            trino.execute("DROP CATALOG IF EXISTS target");
        }
    }

    // Each transaction changes, adds and now and then deletes rows of two tables.
    private List<FutureTask<Void>> startWriters(AtomicInteger moves, AtomicBoolean stopped)
    {
        List<FutureTask<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FutureTask<Void> writer = new FutureTask<>(() -> {
                try (Connection connection = source.connect(); Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    while (!stopped.get()) {
                        move(connection, statement, moves.incrementAndGet());
                    }
                }
                return null;
            });
            writers.add(writer);
            Thread.ofPlatform().start(writer);
        }
        return writers;
    }

    private static void move(Connection connection, Statement statement, int number)
            throws SQLException
    {
        int from = ThreadLocalRandom.current().nextInt(1, ACCOUNTS);
        // In the order of the key, so that no two wait for each other.
        int to = ThreadLocalRandom.current().nextInt(from, ACCOUNTS) + 1;
        statement.execute("UPDATE test.accounts SET balance = balance - 1 WHERE id = " + from);
        statement.execute("UPDATE test.accounts SET balance = balance + 1, name = 'changed %d' WHERE id = %d".formatted(number, to));
        statement.execute("INSERT INTO test.moves VALUES (%d, %d, %d, NOW(6))".formatted(number, from, to));
        if (number % 3 == 0) {
            statement.execute("DELETE FROM test.moves WHERE id = %d".formatted(number - 50));
        }
        connection.commit();
    }

    private static void awaitMore(AtomicInteger moves)
    {
        int before = moves.get();
        Await.until("clients write", () -> moves.get() > before + 100);
    }

    private static void await(List<FutureTask<Void>> writers)
            throws InterruptedException, ExecutionException
    {
        for (FutureTask<Void> writer : writers) {
            writer.get();
        }
    }

    private static String checksum(MysqlServer server, String table)
    {
        return getOnlyElement(server.values("SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(JSON_ARRAY(%s)))) FROM test.%s".formatted(COLUMNS.get(table), table)));
    }

    @Test
    void testPositionIsOfTheSnapshot()
    {
        Session session = copying("position");
        MaterializedRow position = position(session);
        assertThat(position.getField(0)).isEqualTo(getOnlyElement(source.values("SELECT REPLACE(@@GLOBAL.gtid_executed, '\n', '')")));
        assertThat(position.getField(2)).isEqualTo("127.0.0.1:" + source.port());
        source.execute("CREATE TABLE IF NOT EXISTS test.later (k INT PRIMARY KEY)", "REPLACE INTO test.later VALUES (1)");
        assertThat(position(session)).isEqualTo(position);
        // Another group has a snapshot of its own.
        assertThat(position(copying("other")).getField(0)).isNotEqualTo(position.getField(0));

        Session held = heldTo(position.getField(0), session);
        assertThat(trino.execute(held, "SELECT count(*) FROM test.accounts").getOnlyValue()).isEqualTo((long) ACCOUNTS);
        assertThatThrownBy(() -> trino.execute(heldTo(position.getField(0), copying("other")), "SELECT count(*) FROM test.accounts")).hasMessageContaining("has no snapshot with the transactions of snapshot_position");

        // A snapshot that was lost does not come back.
        for (String donor : source.values("SELECT connection_id FROM information_schema.mysql_pq_snapshots")) {
            source.endSession(donor);
        }
        assertThatThrownBy(() -> trino.execute(held, "SELECT count(*) FROM test.accounts")).hasMessageContaining("has no snapshot with the transactions of snapshot_position");
        assertThat(position(session).getField(0)).isNotEqualTo(position.getField(0));
        assertThatThrownBy(() -> trino.execute(held, "SELECT count(*) FROM test.accounts")).hasMessageContaining("has no snapshot with the transactions of snapshot_position");
    }

    @Test
    void testSnapshotThatTellsNoPositionIsReplaced()
    {
        Session session = copying("replaced");
        assertThat(trino.execute(session, "SELECT count(*) FROM test.accounts").getOnlyValue()).isEqualTo((long) ACCOUNTS);
        source.execute("INSERT INTO test.accounts VALUES (%d, 0, 'new')".formatted(ACCOUNTS + 1));
        try {
            assertThat(trino.execute(session, "SELECT count(*) FROM test.accounts").getOnlyValue()).isEqualTo((long) ACCOUNTS);
            MaterializedRow _ = position(session);
            assertThat(trino.execute(session, "SELECT count(*) FROM test.accounts").getOnlyValue()).isEqualTo(ACCOUNTS + 1L);
        }
        finally {
            source.execute("DELETE FROM test.accounts WHERE id > " + ACCOUNTS);
        }
    }

    @Test
    void testRefusals()
            throws SQLException
    {
        assertThatThrownBy(() -> trino.execute(POSITION)).hasMessageContaining("snapshot_position is about the snapshot of a group");
        assertThatThrownBy(() -> trino.execute(trino.session(ImmutableMap.of("snapshot_group", "g")), POSITION)).hasMessageContaining("snapshot_position needs snapshot_mode to be EXACT");
        assertThatThrownBy(() -> trino.execute(heldTo("x:1", trino.session(ImmutableMap.of("snapshot_group", "g"))), "SELECT count(*) FROM test.accounts")).hasMessageContaining("snapshot_position holds queries to the snapshot of a group");
        try (Connection connection = source.connect(); Statement statement = connection.createStatement()) {
            for (String sql : List.of("XA START 'x'", "UPDATE test.accounts SET name = 'changed' WHERE id = 1", "XA END 'x'", "XA PREPARE 'x'")) {
                statement.execute(sql);
            }
            try {
                assertThatThrownBy(() -> position(copying("prepared"))).hasMessageContaining("1 XA transactions are prepared");
            }
            finally {
                statement.execute("XA ROLLBACK 'x'");
            }
        }
    }

    private Session copying(String group)
    {
        return trino.session(ImmutableMap.of("snapshot_mode", "EXACT", "snapshot_group", group, "snapshot_group_age", "5m"));
    }

    private Session heldTo(Object position, Session session)
    {
        return Session.builder(session).setCatalogSessionProperty(TestingTrino.CATALOG, "snapshot_position", (String) position).build();
    }

    // Commits of a busy machine may take longer than a second.
    private MaterializedRow position(Session session)
    {
        for (int attempt = 0;; attempt++) {
            try {
                return getOnlyElement(trino.execute(session, POSITION).getMaterializedRows());
            }
            catch (RuntimeException e) {
                if (attempt == 5 || !e.getMessage().matches("(?s).*(Lock wait timeout|ask again in a moment).*")) {
                    throw e;
                }
            }
        }
    }
}
