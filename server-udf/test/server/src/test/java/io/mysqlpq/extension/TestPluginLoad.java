package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests loading by configuration, as replicas need it, and with libraries for another version or build of the server.
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
                .pluginFile(misbuilt("other_version"))
                .option("plugin-load-add", "mysql_pq.so")
                .start()) {
            assertRefusedByServer(server);
        }
    }

    @Test
    void testLibraryOfAnotherVersionAfterInstall()
    {
        try (MysqlServer server = MysqlServer.builder().extension(true).start()) {
            server.replacePlugin(misbuilt("other_version"));
            server.restart();
            assertRefusedByServer(server);
        }
    }

    @Test
    void testInstallOfAnotherVersion()
    {
        try (MysqlServer server = MysqlServer.builder().pluginFile(misbuilt("other_version")).start(); Session session = new Session(server)) {
            session.failure("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            assertThat(session.number("SELECT COUNT(*) FROM mysql.plugin")).isZero();
            session.assertFails("SELECT mysql_pq_version()", 1046);
        }
    }

    // The three numbers that MySQL compares are the same, as with an update of the release, a distribution's patches or a fork.
    @Test
    void testLibraryForAnotherBuildOfTheRelease()
    {
        try (MysqlServer server = MysqlServer.builder().pluginFile(misbuilt("other_build")).start(); Session session = new Session(server)) {
            // The longer one, which has the number of an update, came with 9.7.4.
            String version = session.value("""
                    SELECT VARIABLE_VALUE FROM performance_schema.global_variables
                    WHERE VARIABLE_NAME IN ('version', 'version_with_update') ORDER BY VARIABLE_NAME DESC LIMIT 1""");
            assertRefusesToLoad(server, session, "this build is for MySQL %1$s-7, and the server is %1$s".formatted(version));
            session.failure("INSTALL PLUGIN mysql_pq_ranges SONAME 'mysql_pq.so'");
            session.failure("INSTALL PLUGIN mysql_pq_snapshots SONAME 'mysql_pq.so'");
        }
    }

    // A library that takes an object of the server's for another size than it has.
    @Test
    void testLibraryThatDoesNotFit()
    {
        assertRefusesToLoad("misfit", "LEX");
    }

    // As for servers without performance_schema's instruments, whose mutexes and latches are shorter.
    @Test
    void testLibraryForServerWithoutInstruments()
    {
        assertRefusesToLoad("without_instruments", "ib_mutex_t");
        assertRefusesToLoad("without_latch_instruments", "buf_block_t::frame");
    }

    // A debug build calls what only a debug server has, so that the loader of the system refuses it.
    @Test
    void testLibraryForDebugServer()
    {
        try (MysqlServer server = MysqlServer.builder().pluginFile(misbuilt("debug")).start(); Session session = new Session(server)) {
            assertThat(session.failure("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'").getMessage()).contains("undefined symbol");
            session.assertFails("SELECT mysql_pq_version()", 1046);
            assertThat(session.number("SELECT COUNT(*) FROM mysql.plugin")).isZero();
        }
    }

    // Assertions of the C++ library change no layout.
    @Test
    void testLibraryWithAssertions()
    {
        try (MysqlServer server = MysqlServer.builder()
                .pluginFile(misbuilt("hardened"))
                .option("plugin-load-add", "mysql_pq.so")
                .start();
                Session session = new Session(server)) {
            assertThat(session.value("SELECT mysql_pq_version()")).contains("\"protocol\"");
            RangePlan.ask(session, "mysql.component", "PRIMARY", 4);
            server.assertErrorLogClean();
        }
    }

    private static void assertRefusesToLoad(String build, String what)
    {
        try (MysqlServer server = MysqlServer.builder().pluginFile(misbuilt(build)).start(); Session session = new Session(server)) {
            assertRefusesToLoad(server, session, "this build does not match the server (%s)".formatted(what));
        }
    }

    private static void assertRefusesToLoad(MysqlServer server, Session session, String why)
    {
        session.failure("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        session.assertFails("SELECT mysql_pq_version()", 1046);
        assertThat(server.errorLog().lines().filter(line -> line.contains("mysql_pq") && line.contains("not loaded")).toList())
                .singleElement().asString().endsWith("not loaded: %s'".formatted(why));
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

    private static Path misbuilt(String build)
    {
        String folder = System.getProperty("pq.plugin.misbuilt.folder");
        assertThat(folder).as("-Dpq.plugin.misbuilt.folder, where the target misbuilt_plugins was built").isNotNull();
        return Path.of(folder, "mysql_pq_%s.so".formatted(build));
    }
}
