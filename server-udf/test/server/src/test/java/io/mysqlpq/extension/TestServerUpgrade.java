package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an upgrade of MySQL in place, with the library exchanged before the new server starts.
 *
 * <p>The old server may be of an earlier version ({@link io.mysqlpq.testing.MysqlServerBuilder#otherServer()}). {@link TestPluginLoad} has the upgrade without another library.
 */
class TestServerUpgrade
{
    @Test
    void testExtensionNeedsNoInstallationAgain()
    {
        try (MysqlServer old = MysqlServer.builder().otherServer().extension(true).option("cte-max-recursion-depth", "10000").start()) {
            old.execute(
                    "CREATE SCHEMA s",
                    "CREATE TABLE s.t (k INT PRIMARY KEY, v INT NOT NULL)",
                    "INSERT INTO s.t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i, 3 * i FROM n");
            old.stop();
            try (MysqlServer upgraded = MysqlServer.builder().data(old.dataDirectory()).start();
                    SnapshotReader reader = SnapshotReader.open(upgraded, "s.t")) {
                assertThat(reader.scan("s.t", "").read().rows()).map(row -> String.join(",", row)).isEqualTo(upgraded.values("SELECT CONCAT(k, ',', v) FROM s.t ORDER BY k"));
                upgraded.assertErrorLogClean();
            }
        }
    }
}
