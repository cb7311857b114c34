package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests that what a range counts as depends on what its views see: transactions that are open, prepared or rolled back, and older views. */
@TestInstance(PER_CLASS)
class TestConditionalScanViews
{
    private static final String RANGE = "{\"lower\": [\"300\"], \"upper\": [\"700\"], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]}";
    private static final String FILTERED = "{\"lower\": [\"300\"], \"upper\": [\"700\"], \"filters\": [{\"column\": \"v\", \"intervals\": [[\"5\", true, \"5\", true]], \"nulls\": false}], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]}";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "100000").option("innodb-stats-auto-recalc", "OFF").start();

    @BeforeEach
    void createTable()
    {
        server.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v INT NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 2000) SELECT i, i % 10 FROM s",
                "CREATE TABLE s.elsewhere (k INT PRIMARY KEY)");
        Await.until("a scan gives a validator", () -> scan().validator() != null);
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private KeptScan scan()
    {
        return KeptScan.scan(server, "s.t", RANGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATE s.t SET v = 77 WHERE k = 500", "INSERT INTO s.t VALUES (499, 7) ON DUPLICATE KEY UPDATE v = 78", "DELETE FROM s.t WHERE k = 500"})
    void testOpenTransaction(String change)
    {
        for (String end : new String[] {"ROLLBACK", "COMMIT"}) {
            KeptScan before = scan();
            try (Session writer = new Session(server)) {
                writer.execute("START TRANSACTION", change);
                assertThat(before.isUnchanged()).isFalse();
                // What it saw depends on how the transaction ends.
                assertThat(scan().validator()).isNull();
                writer.execute(end);
            }
            assertThat(before.isUnchanged()).isFalse();
            assertUnchangedSoon();
        }
    }

    // No row comes of it, and yet the range depends on how the transaction ends.
    @Test
    void testOpenInsert()
    {
        server.execute("DELETE FROM s.t WHERE k = 500");
        assertUnchangedSoon();
        try (Session writer = new Session(server)) {
            writer.execute("START TRANSACTION", "INSERT INTO s.t VALUES (500, 1)");
            assertThat(scan().validator()).isNull();
            writer.execute("COMMIT");
        }
        assertUnchangedSoon();
    }

    @Test
    void testSavepoint()
    {
        try (Session writer = new Session(server)) {
            writer.execute("START TRANSACTION", "SAVEPOINT p", "UPDATE s.t SET v = 77 WHERE k = 500");
            assertThat(scan().validator()).isNull();
            writer.execute("ROLLBACK TO SAVEPOINT p");
            KeptScan kept = scan();
            writer.execute("UPDATE s.t SET v = 77 WHERE k = 500");
            if (kept.validator() != null) {
                assertThat(kept.isUnchanged()).isFalse();
            }
            writer.execute("COMMIT");
            if (kept.validator() != null) {
                assertThat(kept.isUnchanged()).isFalse();
            }
        }
    }

    // It is open until somebody ends it, though its session is gone.
    @ParameterizedTest
    @ValueSource(strings = {"XA COMMIT 'x'", "XA ROLLBACK 'x'"})
    void testPreparedTransaction(String end)
    {
        KeptScan before = scan();
        prepare("UPDATE s.t SET v = 77 WHERE k = 500");
        try (SnapshotReader during = SnapshotReader.open(server, "s.t")) {
            assertThat(before.isUnchanged()).isFalse();
            assertThat(scan().validator()).isNull();
            server.execute(end);
            assertThat(before.isUnchanged()).isFalse();
            KeptScan after = scan();
            assertThat(after.validator()).isNotNull();
            assertThat(after.isUnchangedFor(during)).isFalse();
        }
        assertUnchangedSoon();
    }

    @ParameterizedTest
    @ValueSource(strings = {"XA COMMIT 'x'", "XA ROLLBACK 'x'"})
    void testTransactionPreparedElsewhere(String end)
    {
        KeptScan before = scan();
        prepare("INSERT INTO s.elsewhere VALUES (1)");
        assertThat(before.isUnchanged()).isTrue();
        KeptScan during = scan();
        assertThat(during.isUnchanged()).isTrue();
        server.execute(end);
        assertThat(before.isUnchanged()).isTrue();
        assertThat(during.isUnchanged()).isTrue();
    }

    private void prepare(String change)
    {
        try (Session writer = new Session(server)) {
            writer.execute("XA START 'x'", change, "XA END 'x'", "XA PREPARE 'x'");
        }
    }

    // It has begun before the views, and comes to the range after them.
    @Test
    void testLongTransaction()
    {
        try (Session writer = new Session(server)) {
            writer.execute("START TRANSACTION", "INSERT INTO s.elsewhere VALUES (1)");
            server.execute("INSERT INTO s.elsewhere VALUES (2)");
            try (SnapshotReader before = SnapshotReader.open(server, "s.t")) {
                KeptScan kept = KeptScan.scan(server, before, "s.t", RANGE);
                assertThat(kept.isUnchanged()).isTrue();
                writer.execute("UPDATE s.t SET v = 77 WHERE k = 500");
                assertThat(kept.isUnchanged()).isFalse();
                assertThat(kept.isUnchangedFor(before)).isFalse();
                assertThat(scan().validator()).isNull();
                writer.execute("COMMIT");
                assertThat(kept.isUnchanged()).isFalse();
                KeptScan after = scan();
                assertThat(after.validator()).isNotNull();
                assertThat(after.isUnchangedFor(before)).isFalse();
            }
        }
        assertUnchangedSoon();
    }

    // A writer that is old, and writes elsewhere, does not keep ranges from being reused.
    @Test
    void testOldWriterElsewhere()
    {
        try (Session writer = new Session(server)) {
            writer.execute("START TRANSACTION", "INSERT INTO s.elsewhere VALUES (1)");
            server.execute("UPDATE s.t SET v = 8 WHERE k = 400");
            assertUnchangedSoon();
            KeptScan kept = scan();
            server.execute("INSERT INTO s.elsewhere VALUES (2)");
            assertThat(kept.isUnchanged()).isTrue();
            writer.execute("COMMIT");
            assertThat(kept.isUnchanged()).isTrue();
        }
    }

    // The page is as the later view saw it, and the older view sees other rows on it.
    @ParameterizedTest
    @ValueSource(strings = {
            "UPDATE s.t SET v = 77 WHERE k = 500",
            "DELETE FROM s.t WHERE k = 500",
            "INSERT INTO s.t VALUES (500, 1) ON DUPLICATE KEY UPDATE v = 78",
            "UPDATE s.t SET v = 6 WHERE v = 5 AND k BETWEEN 300 AND 400"})
    void testOlderView(String change)
    {
        for (String options : new String[] {RANGE, FILTERED}) {
            try (SnapshotReader older = SnapshotReader.open(server, "s.t")) {
                server.execute(change);
                KeptScan later = KeptScan.scan(server, "s.t", options);
                assertThat(later.validator()).isNotNull();
                assertThat(later.isUnchangedFor(older)).isFalse();
            }
            server.execute("UPDATE s.t SET v = k % 10");
            assertUnchangedSoon();
        }
    }

    @Test
    void testViewsOfTheSameMoment()
    {
        try (SnapshotReader one = SnapshotReader.open(server, "s.t"); SnapshotReader other = SnapshotReader.open(server, "s.t")) {
            assertThat(KeptScan.scan(server, one, "s.t", RANGE).isUnchangedFor(other)).isTrue();
            assertThat(KeptScan.scan(server, other, "s.t", RANGE).isUnchangedFor(one)).isTrue();
        }
    }

    // The transaction is seen by neither view, or by both, or by the later one only.
    @Test
    void testTransactionThatEndsBetweenViews()
    {
        try (Session writer = new Session(server); SnapshotReader before = SnapshotReader.open(server, "s.t")) {
            writer.execute("START TRANSACTION", "INSERT INTO s.elsewhere VALUES (1)");
            try (SnapshotReader during = SnapshotReader.open(server, "s.t")) {
                writer.execute("COMMIT");
                try (SnapshotReader after = SnapshotReader.open(server, "s.t")) {
                    KeptScan kept = KeptScan.scan(server, during, "s.t", RANGE);
                    assertThat(kept.isUnchangedFor(after)).isTrue();
                    assertThat(kept.isUnchangedFor(before)).isFalse();
                    KeptScan latest = KeptScan.scan(server, after, "s.t", RANGE);
                    assertThat(latest.isUnchangedFor(during)).isFalse();
                    assertThat(KeptScan.scan(server, before, "s.t", RANGE).isUnchangedFor(after)).isTrue();
                }
            }
        }
    }

    // Rows that were moved out of a filter do not show, but the page does.
    @Test
    void testRowsThatPassNoFilter()
    {
        KeptScan kept = KeptScan.scan(server, "s.t", FILTERED);
        server.execute("UPDATE s.t SET v = 5 WHERE k = 501");
        assertThat(kept.isUnchanged()).isFalse();
        kept = KeptScan.scan(server, "s.t", FILTERED);
        server.execute("UPDATE s.t SET v = 6 WHERE k = 501");
        assertThat(kept.isUnchanged()).isFalse();
    }

    // A record that is marked as deleted stays on its page while an older view is open.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testDeletedAndPurged(boolean purged)
    {
        KeptScan before = scan();
        KeptScan marked;
        try (SnapshotReader older = SnapshotReader.open(server, "s.t")) {
            server.execute("DELETE FROM s.t WHERE k = 500");
            assertThat(before.isUnchanged()).isFalse();
            marked = scan();
            assertThat(marked.isUnchanged()).isTrue();
            assertThat(marked.isUnchangedFor(older)).isFalse();
            assertThat(before.isUnchangedFor(older)).isFalse();
            if (!purged) {
                server.execute("INSERT INTO s.t VALUES (500, 0)");
                assertThat(marked.isUnchanged()).isFalse();
                return;
            }
        }
        Await.until("purge takes the record from its page", () -> {
            server.execute("REPLACE INTO s.elsewhere VALUES (1)");
            return !marked.isUnchanged();
        });
        assertUnchangedSoon();
        KeptScan without = scan();
        assertThat(without.rows()).isEqualTo(marked.rows());
        server.execute("INSERT INTO s.t VALUES (500, 0)");
        assertThat(without.isUnchanged()).isFalse();
    }

    // Purge may still be at work on pages of the range.
    private void assertUnchangedSoon()
    {
        Await.until("what has not changed is unchanged", () -> {
            KeptScan kept = scan();
            return kept.validator() != null && kept.isUnchanged();
        });
    }
}
