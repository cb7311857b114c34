package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.protocol.VersionReply;
import io.trino.spi.TrinoException;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.DEFINITION_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.EXTENSION_VERSION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.RANGES_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SCAN_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_ADOPT_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_COVERS_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_EXPORT_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.VERSION_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.VERSION_SQL;

/** Checks that the extension is there, that it is of this connector's release, and that it is complete. */
final class ExtensionCheck
        implements Check
{
    private static final String INSTALL = "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'";
    static final String ENABLE = "SET PERSIST mysql_pq_enabled = ON";

    // A library that was replaced is loaded by a start of MySQL only.
    private static final String REINSTALL = "UNINSTALL PLUGIN mysql_pq and %s; restart MySQL if the library was replaced".formatted(INSTALL);
    private static final List<String> FUNCTIONS = ImmutableList.of(
            VERSION_FUNCTION,
            RANGES_FUNCTION,
            DEFINITION_FUNCTION,
            SNAPSHOT_EXPORT_FUNCTION,
            SNAPSHOT_ADOPT_FUNCTION,
            SNAPSHOT_VERIFY_FUNCTION,
            SNAPSHOT_COVERS_FUNCTION,
            SCAN_FUNCTION);

    @Override
    public String name()
    {
        return "extension";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        Optional<String> plugin = server.text("SELECT plugin_status FROM information_schema.plugins WHERE plugin_name = 'mysql_pq'");
        if (plugin.isEmpty()) {
            return ImmutableList.of(Finding.problem("extension", "not loaded", install(server)));
        }
        if (plugin.get().equals("DISABLED")) {
            return ImmutableList.of(Finding.problem("extension", "an option of MySQL disables the plugin", "Remove the option mysql-pq = OFF from MySQL's configuration, and restart MySQL"));
        }
        if (!plugin.get().equals("ACTIVE")) {
            return ImmutableList.of(Finding.problem("extension", "the plugin is " + plugin.get(), "Look for mysql_pq in MySQL's error log, then " + REINSTALL));
        }
        return ImmutableList.of(version(server), functions(server));
    }

    // A plugin whose library is missing when MySQL starts stays registered, and cannot be installed then.
    private static String install(ExaminedServer server)
            throws SQLException
    {
        String install = server.number("SELECT @@GLOBAL.super_read_only") == 0 ? INSTALL : "SET GLOBAL super_read_only = OFF; %s; SET GLOBAL super_read_only = ON".formatted(INSTALL);
        return "%s -- after error 3883 put mysql_pq.so into %s and restart MySQL".formatted(install, server.text("SELECT @@GLOBAL.plugin_dir").orElse("plugin_dir"));
    }

    private static Finding version(ExaminedServer server)
            throws SQLException
    {
        Optional<SQLException> failure = server.failure(VERSION_SQL);
        if (failure.isPresent()) {
            return Finding.problem("extension", failure.get().getMessage(), REINSTALL);
        }
        try {
            return version(VersionReply.decode(server.text(VERSION_SQL).orElse(null)));
        }
        catch (UnsupportedReplyException | TrinoException e) {
            // The reply has another protocol, or is not the extension's.
            return Finding.problem("extension", e.getMessage(), "Install extension %s, of this connector's release".formatted(EXTENSION_VERSION));
        }
    }

    private static Finding version(VersionReply version)
    {
        String found = "version %s, active in MySQL %s".formatted(version.extension(), version.serverVersion());
        if (!version.enabled()) {
            return Finding.problem("extension", found + ", but disabled", ENABLE);
        }
        return version.extension().equals(EXTENSION_VERSION)
                ? Finding.ok("extension", found)
                : Finding.warning("extension", found, "Install extension %s, of this connector's release. Until then both work together".formatted(EXTENSION_VERSION));
    }

    // Without arguments each function refuses its work. Its message differs from that of a server which does not know the function.
    private static Finding functions(ExaminedServer server)
            throws SQLException
    {
        ImmutableList.Builder<String> missing = ImmutableList.builder();
        for (String function : FUNCTIONS) {
            if (isMissing(server.failure("SELECT %s()".formatted(function)))) {
                missing.add(function);
            }
        }
        List<String> names = missing.build().stream().sorted().collect(toImmutableList());
        return names.isEmpty()
                ? Finding.ok("functions", "all %s are registered".formatted(FUNCTIONS.size()))
                : Finding.problem("functions", "not registered: " + String.join(", ", names), REINSTALL);
    }

    private static boolean isMissing(Optional<SQLException> failure)
    {
        return failure.flatMap(ExtensionError::of)
                .filter(error -> error == ExtensionError.NOT_INSTALLED || error == ExtensionError.NOT_INSTALLED_WITHOUT_DATABASE)
                .isPresent();
    }
}
