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

/** Tests that a range counts as unchanged if, and only if, nothing in it changed. */
@TestInstance(PER_CLASS)
class TestConditionalScans
{
    private static final String COLUMNS = "\"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]";
    private static final String ALL = "{%s}".formatted(COLUMNS);
    private static final String MIDDLE = "{\"lower\": [\"3000\"], \"upper\": [\"7000\"], %s}".formatted(COLUMNS);

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "100000").start();

    @BeforeEach
    void createTable()
    {
        server.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v INT NOT NULL, t VARCHAR(200) NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 10000) SELECT i, i % 100, REPEAT('t', 50 + i % 100) FROM s");
        Await.until("a scan gives a validator", () -> KeptScan.scan(server, "s.t", MIDDLE).validator() != null);
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testUnchanged()
    {
        for (String options : new String[] {ALL, MIDDLE}) {
            KeptScan kept = KeptScan.scan(server, "s.t", options);
            assertThat(kept.isUnchanged()).isTrue();
            assertThat(kept.isUnchanged()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "UPDATE s.t SET v = v + 1 WHERE k = 5000",
            "UPDATE s.t SET t = REPEAT('u', 200) WHERE k BETWEEN 5000 AND 5100",
            "UPDATE s.t SET k = 20000 WHERE k = 5000",
            "UPDATE s.t SET k = -5 WHERE k = 5000",
            "DELETE FROM s.t WHERE k = 3000",
            "DELETE FROM s.t WHERE k = 6999",
            "DELETE FROM s.t WHERE k BETWEEN 3000 AND 6999",
            "DELETE FROM s.t",
            "REPLACE INTO s.t VALUES (5000, 1, 'r')",
            "INSERT INTO s.t VALUES (5000, 1, 'r') ON DUPLICATE KEY UPDATE v = 7",
            "TRUNCATE TABLE s.t",
            "ALTER TABLE s.t ADD COLUMN more INT",
            "ALTER TABLE s.t MODIFY t VARCHAR(300) NOT NULL",
            "ALTER TABLE s.t ENGINE = InnoDB"})
    void testChanged(String change)
    {
        KeptScan kept = KeptScan.scan(server, "s.t", MIDDLE);
        server.execute(change);
        assertThat(kept.isUnchanged()).isFalse();
    }

    @Test
    void testChangesElsewhere()
    {
        KeptScan kept = KeptScan.scan(server, "s.t", MIDDLE);
        server.execute("UPDATE s.t SET v = v + 1 WHERE k > 8000 OR k < 2000", "INSERT INTO s.t VALUES (10001, 1, 'r')", "DELETE FROM s.t WHERE k = 1");
        assertThat(kept.isUnchanged()).isTrue();
    }

    @Test
    void testOpenTransaction()
    {
        try (Session writer = new Session(server)) {
            writer.execute("START TRANSACTION", "UPDATE s.t SET v = v + 1 WHERE k = 5000");
            assertThat(KeptScan.scan(server, "s.t", MIDDLE).validator()).isNull();
            writer.execute("ROLLBACK");
        }
        assertThat(KeptScan.scan(server, "s.t", MIDDLE).isUnchanged()).isTrue();
    }
}
