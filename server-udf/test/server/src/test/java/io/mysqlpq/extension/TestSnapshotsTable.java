package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the table of snapshots: what it says, and to whom.
 */
@TestInstance(PER_CLASS)
class TestSnapshotsTable
{
    private static final String BEGIN = "START TRANSACTION READ ONLY";
    private static final String ROWS = "SELECT CONCAT_WS(' ', user, host, connection_id, state, readers, adoptions) FROM information_schema.mysql_pq_snapshots ORDER BY 1";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().option("plugin-load-add", "mysql_pq.so").start();

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT)",
                "INSERT INTO s.t VALUES (1, 0)",
                "CREATE USER one IDENTIFIED BY 'secret'",
                "CREATE USER two IDENTIFIED BY 'secret'",
                "CREATE USER operator IDENTIFIED BY 'secret'",
                "GRANT PROCESS ON *.* TO operator");
    }

    // The server may take a moment to see that sessions of the test before are closed.
    @BeforeEach
    void awaitNoSnapshots()
    {
        try (Session observer = new Session(server)) {
            Await.until("no snapshots", () -> observer.values(ROWS).isEmpty());
        }
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testLifeOfASnapshot()
    {
        try (Session donor = new Session(server, "one", "secret"); Session reader = new Session(server, "one", "secret"); Session observer = new Session(server)) {
            String token = export(donor);
            assertThat(observer.values(ROWS)).containsExactly("one %% %s OPEN 0 0".formatted(donor.id()));
            for (int i = 0; i < 3; i++) {
                reader.execute(BEGIN).value(adopt(token));
            }
            assertThat(observer.values(ROWS)).containsExactly("one %% %s OPEN 1 3".formatted(donor.id()));
            donor.execute("COMMIT");
            assertThat(observer.values(ROWS)).containsExactly("one % ENDED 1 3");
            reader.execute("COMMIT");
            assertThat(observer.values(ROWS)).isEmpty();
        }
    }

    @Test
    void testExpired()
    {
        try (Session donor = new Session(server); Session observer = new Session(server)) {
            observer.execute("SET GLOBAL mysql_pq_snapshot_max_age = 1, GLOBAL mysql_pq_snapshot_grace = 3600");
            export(donor);
            Await.until("the snapshot has expired", () -> observer.values(ROWS).equals(List.of("root localhost %s EXPIRED 0 0".formatted(donor.id()))));
            assertThat(observer.number("SELECT age FROM information_schema.mysql_pq_snapshots")).isBetween(1L, 60L);
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT, GLOBAL mysql_pq_snapshot_grace = DEFAULT");
        }
    }

    @Test
    void testHistoryPinned()
    {
        String pinned = "SELECT history_pinned FROM information_schema.mysql_pq_snapshots";
        try (Session donor = new Session(server); Session writer = new Session(server)) {
            export(donor);
            assertThat(writer.number(pinned)).isLessThan(10);
            for (int i = 0; i < 50; i++) {
                writer.execute("UPDATE s.t SET v = v + 1");
            }
            assertThat(writer.number(pinned)).isGreaterThanOrEqualTo(50);
        }
    }

    @Test
    void testEachSeesItsOwn()
    {
        try (Session one = new Session(server, "one", "secret"); Session two = new Session(server, "two", "secret"); Session operator = new Session(server, "operator", "secret")) {
            String ofOne = export(one);
            String ofTwo = export(two);
            assertThat(one.values(ROWS)).containsExactly("one %% %s OPEN 0 0".formatted(one.id()));
            assertThat(two.values(ROWS)).containsExactly("two %% %s OPEN 0 0".formatted(two.id()));
            assertThat(operator.values(ROWS)).hasSize(2);
            String everything = String.join(" ", operator.values("SELECT JSON_ARRAYAGG(JSON_ARRAY(user, host, connection_id, state, age, readers, adoptions, history_pinned)) FROM information_schema.mysql_pq_snapshots"));
            assertThat(everything).doesNotContain(ofOne, ofTwo);
        }
    }

    @Test
    void testWithoutTheFunctions()
    {
        try (Session session = new Session(server)) {
            session.execute("UNINSTALL PLUGIN mysql_pq");
            session.assertRefused(ROWS, "disabled");
            session.execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            assertThat(session.values(ROWS)).isEmpty();
        }
    }

    private static String export(Session donor)
    {
        return RangePlan.json(donor.execute(BEGIN).value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
    }

    private static String adopt(String token)
    {
        return "SELECT mysql_pq_snapshot_adopt('%s')".formatted(token);
    }
}
