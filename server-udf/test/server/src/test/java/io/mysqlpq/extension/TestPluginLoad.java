package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests loading by configuration, as replicas need it, and with a library built for another server version.
 */
class TestPluginLoad
{
    @Test
    void testReplicaUnderSuperReadOnly()
    {
        try (MysqlServer server = MysqlServer.builder()
                .option("plugin-load-add", "mysql_pq.so")
                .option("super-read-only", "ON")
                .start();
                Session session = new Session(server)) {
            assertThat(session.value("SELECT @@super_read_only")).isEqualTo("1");
            assertThat(session.value("SELECT mysql_pq_version()")).contains("\"protocol\"");
            RangePlan.ask(session, "mysql.component", "PRIMARY", 4);
            server.assertErrorLogClean();
        }
    }

    @Test
    void testDisabledByConfiguration()
    {
        try (MysqlServer server = MysqlServer.builder()
                .option("plugin-load-add", "mysql_pq.so")
                .option("mysql-pq-enabled", "OFF")
                .option("mysql-pq-max-ranges", "17")
                .start();
                Session session = new Session(server)) {
            assertThat(session.value("SELECT mysql_pq_version()")).contains("\"enabled\": false", "\"max_ranges\": 17");
            session.assertRefused("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4)", "disabled");
            server.assertErrorLogClean();
        }
    }

    @Test
    void testAbsentWithoutInstall()
    {
        try (MysqlServer server = MysqlServer.builder().start(); Session session = new Session(server)) {
            session.assertFails("SELECT mysql_pq_version()", 1046);
        }
    }

    // As after a package upgrade of the server with the old library still configured.
    @Test
    void testLibraryOfAnotherVersionInLoadList()
    {
        try (MysqlServer server = MysqlServer.builder()
                .pluginFile(otherVersion())
                .option("plugin-load-add", "mysql_pq.so")
                .start()) {
            assertRefusedByServer(server);
        }
    }

    @Test
    void testLibraryOfAnotherVersionAfterInstall()
    {
        try (MysqlServer server = MysqlServer.builder().extension(true).start()) {
            server.replacePlugin(otherVersion());
            server.restart();
            assertRefusedByServer(server);
        }
    }

    @Test
    void testInstallOfAnotherVersion()
    {
        try (MysqlServer server = MysqlServer.builder().pluginFile(otherVersion()).start(); Session session = new Session(server)) {
            session.failure("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            assertThat(session.number("SELECT COUNT(*) FROM mysql.plugin")).isZero();
            session.assertFails("SELECT mysql_pq_version()", 1046);
        }
    }

    // A library that takes an object of the server's for another size than it has.
    @Test
    void testLibraryThatDoesNotFit()
    {
        String file = System.getProperty("pq.plugin.misfit.file");
        assertThat(file).as("-Dpq.plugin.misfit.file, the target mysql_pq_misfit").isNotNull();
        try (MysqlServer server = MysqlServer.builder().pluginFile(Path.of(file)).start(); Session session = new Session(server)) {
            session.failure("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            session.assertFails("SELECT mysql_pq_version()", 1046);
            assertThat(server.errorLog().lines().filter(line -> line.contains("mysql_pq") && line.contains("not loaded")).toList())
                    .singleElement().asString().endsWith("not loaded: this build does not match the server (LEX)'");
        }
    }

    private static void assertRefusedByServer(MysqlServer server)
    {
        try (Session session = new Session(server)) {
            session.assertFails("SELECT mysql_pq_version()", 1046);
            assertThat(session.number("SELECT COUNT(*) FROM mysql.user")).isPositive();
        }
        assertThat(server.errorLog().lines().filter(line -> line.contains("[ERROR]")).toList())
                // The cause, and for a load list that the library was left out.
                .hasSizeBetween(1, 2)
                .first().asString().contains("mysql_pq");
    }

    private static Path otherVersion()
    {
        String file = System.getProperty("pq.plugin.other-version.file");
        assertThat(file).as("-Dpq.plugin.other-version.file, a library built with -DPQ_STAMP_VERSION_ID").isNotNull();
        return Path.of(file);
    }
}
