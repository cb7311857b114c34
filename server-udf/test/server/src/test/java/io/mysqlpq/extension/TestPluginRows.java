package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a server starts whose table mysql.plugin names the extension, whatever has become of its library.
 *
 * <p>{@link TestPluginLoad} has libraries that were built for other servers.
 */
@TestInstance(PER_CLASS)
class TestPluginRows
{
    private static final int NO_SUCH_FUNCTION = 1046;
    private static final String PLUGINS = "SELECT CONCAT(plugin_name, ' ', plugin_status) FROM information_schema.plugins WHERE plugin_name LIKE 'mysql\\_pq%' ORDER BY plugin_name";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    private final Path library = server.pluginDirectory().resolve("mysql_pq.so");
    private byte[] bytes;

    @BeforeAll
    void installTables()
            throws IOException
    {
        server.executeFile(Path.of("../../sql/install-tables.sql"));
        bytes = Files.readAllBytes(library);
    }

    // The running server may have the file mapped.
    @BeforeEach
    void stop()
    {
        server.kill();
    }

    enum Damage
    {
        GONE, EMPTY, TEXT, SHORTER_THAN_ITS_HEADERS;

        byte[] apply(byte[] library)
        {
            return switch (this) {
                case GONE, EMPTY -> new byte[0];
                case TEXT -> "This is no library. ".repeat(1000).getBytes(UTF_8);
                case SHORTER_THAN_ITS_HEADERS -> Arrays.copyOf(library, 100);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void testDamagedLibrary(Damage damage)
            throws IOException
    {
        put(damage.apply(bytes));
        if (damage == Damage.GONE) {
            Files.delete(library);
        }
        server.restart("--plugin-load-add=mysql_pq.so");
        assertWithoutExtension();
        assertThat(server.values(PLUGINS)).isEmpty();
    }

    // The system's loader dies of what it maps and does not find, at each start. The way out is to take the file away.
    @Test
    void testLibraryThatWasCutShort()
            throws IOException
    {
        put(Arrays.copyOf(bytes, 8192));
        assertThatThrownBy(server::restart).hasMessageContaining("mysqld did not start again").hasMessageContaining("signal 7");
        Files.delete(library);
        server.restart();
        assertWithoutExtension();
    }

    // For a library that fits and yet ends the server when it is initialised.
    @Test
    void testSwitchedOffAtStart()
            throws IOException
    {
        put(bytes);
        server.restart("--loose-mysql-pq=OFF", "--loose-mysql-pq-ranges=OFF", "--loose-mysql-pq-snapshots=OFF");
        assertWithoutExtension();
        assertThat(server.values(PLUGINS)).containsExactlyInAnyOrder("MYSQL_PQ_RANGES DISABLED", "MYSQL_PQ_SNAPSHOTS DISABLED", "mysql_pq DISABLED");
        // Without the options it is there again, and need not be installed.
        server.restart();
        server.execute("SELECT mysql_pq_version()");
    }

    // Options of a plugin that is not there end the server, unless they begin so.
    @Test
    void testOptionsWithoutLibrary()
            throws IOException
    {
        Files.deleteIfExists(library);
        assertThatThrownBy(() -> server.restart("--mysql-pq-max-ranges=17")).hasMessageContaining("unknown variable 'mysql-pq-max-ranges=17'");
        server.restart("--loose-mysql-pq-max-ranges=17", "--loose-mysql-pq=OFF");
        assertWithoutExtension();
    }

    private void put(byte[] content)
            throws IOException
    {
        Path unfinished = Files.write(library.resolveSibling("mysql_pq.so.new"), content);
        Files.move(unfinished, library, REPLACE_EXISTING);
    }

    private void assertWithoutExtension()
    {
        try (Session session = new Session(server)) {
            session.assertFails("SELECT mysql_pq_version()", NO_SUCH_FUNCTION);
            assertThat(session.values("SELECT name FROM mysql.plugin ORDER BY name")).containsExactly("mysql_pq", "mysql_pq_ranges", "mysql_pq_snapshots");
        }
    }
}
