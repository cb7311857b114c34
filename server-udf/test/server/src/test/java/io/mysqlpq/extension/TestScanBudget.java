package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that at most mysql_pq_max_scans sessions read in snapshots at once, whoever they are.
 */
@TestInstance(PER_CLASS)
class TestScanBudget
{
    private static final String BEGIN = "START TRANSACTION READ ONLY";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    // The server may take a moment to see that sessions of a test are closed.
    @AfterEach
    void reset()
    {
        try (Session observer = new Session(server)) {
            Await.until("no scan runs", () -> StatusCounters.value(observer, "scans_running") == 0);
        }
        server.execute("SET GLOBAL mysql_pq_max_scans = DEFAULT");
        server.assertErrorLogClean();
    }

    @Test
    void testRefusedBeyondTheBudget()
    {
        server.execute("SET GLOBAL mysql_pq_max_scans = 2", "CREATE USER IF NOT EXISTS other IDENTIFIED BY 'secret'");
        try (Session donor = new Session(server);
                Session otherDonor = new Session(server, "other", "secret");
                Session first = new Session(server);
                Session second = new Session(server, "other", "secret");
                Session third = new Session(server)) {
            String token = export(donor);
            String otherToken = export(otherDonor);
            long refused = StatusCounters.value(donor, "scans_refused");
            first.execute(BEGIN).value(adopt(token));
            second.execute(BEGIN).value(adopt(otherToken));
            assertThat(StatusCounters.value(donor, "scans_running")).isEqualTo(2);
            third.execute(BEGIN).assertRefused(adopt(token), "too_many_scans", "mysql_pq_max_scans = 2");
            assertThat(StatusCounters.value(donor, "scans_refused")).isEqualTo(refused + 1);
            // A session counts once, however often it adopts.
            first.value(adopt(token));
            first.execute(BEGIN).value(adopt(token));
            // It may go on, in what has a place already, when the budget shrinks.
            server.execute("SET GLOBAL mysql_pq_max_scans = 0");
            first.value("SELECT mysql_pq_snapshot_verify('%s')".formatted(token));
            server.execute("SET GLOBAL mysql_pq_max_scans = 2");
            second.execute("COMMIT");
            third.value(adopt(token));
            assertThat(StatusCounters.value(donor, "scans_running")).isEqualTo(2);
            server.execute("KILL " + first.id());
            third.execute("ROLLBACK");
            Await.until("no scan runs", () -> StatusCounters.value(donor, "scans_running") == 0);
        }
    }

    @Test
    void testFromOneSnapshotToAnother()
    {
        server.execute("SET GLOBAL mysql_pq_max_scans = 1");
        try (Session donor = new Session(server); Session second = new Session(server); Session reader = new Session(server)) {
            String token = export(donor);
            String later = export(second);
            reader.execute(BEGIN).value(adopt(token));
            reader.value(adopt(later));
            reader.assertRefused("SELECT mysql_pq_snapshot_verify('%s')".formatted(token), "bad_snapshot");
            reader.value("SELECT mysql_pq_snapshot_verify('%s')".formatted(later));
            assertThat(StatusCounters.value(donor, "scans_running")).isEqualTo(1);
            second.execute("COMMIT");
            // A refused change leaves the session where it was.
            reader.value(adopt(token));
            reader.assertRefused(adopt(later), "no_such_snapshot");
            reader.value("SELECT mysql_pq_snapshot_verify('%s')".formatted(token));
        }
    }

    // What is kept of readers does not grow with their number.
    @Test
    void testManyReadersOneAfterTheOther()
    {
        server.execute("SET GLOBAL mysql_pq_max_scans = 1");
        try (Session donor = new Session(server)) {
            String token = export(donor);
            for (int i = 0; i < 300; i++) {
                try (Session reader = new Session(server)) {
                    reader.execute(BEGIN).value(adopt(token));
                    reader.execute("COMMIT");
                }
            }
            try (Session reader = new Session(server)) {
                for (int i = 0; i < 100_000; i++) {
                    reader.execute(BEGIN).value(adopt(token));
                }
            }
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
