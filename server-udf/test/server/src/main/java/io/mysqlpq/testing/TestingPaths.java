package io.mysqlpq.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the files that tests need: the extracted server, the built plugin and the ignored state folder.
 */
public record TestingPaths(Path state, Path mysqlHome, Path pluginFile)
{
    public static TestingPaths fromSystemProperties()
    {
        Path state = Path.of(System.getProperty("pq.state", ".pq")).toAbsolutePath().normalize();
        String home = System.getProperty("pq.mysql.home");
        String plugin = System.getProperty("pq.plugin.file");
        return new TestingPaths(
                state,
                home == null ? serverOfDebian(state.resolve("mysql")) : Path.of(home).toAbsolutePath(),
                plugin == null ? state.resolve("build/udf/mysql_pq.so") : Path.of(plugin).toAbsolutePath());
    }

    /** A server of another version, for tests of several servers: the same one unless properties name it. */
    static TestingPaths ofOtherServer()
    {
        TestingPaths paths = fromSystemProperties();
        return new TestingPaths(
                paths.state(),
                Path.of(System.getProperty("pq.mysql.other.home", paths.mysqlHome().toString())).toAbsolutePath(),
                Path.of(System.getProperty("pq.plugin.other.file", paths.pluginFile().toString())).toAbsolutePath());
    }

    public Path existingPluginFile()
    {
        if (!Files.isRegularFile(pluginFile)) {
            throw new IllegalStateException("The extension is not built: no file " + pluginFile + ". Build it, or set -Dpq.plugin.file");
        }
        return pluginFile;
    }

    // Beside it may lie servers that somebody gave by path.
    private static Path serverOfDebian(Path versions)
    {
        Path version = versions.resolve("VERSION");
        try {
            return versions.resolve(Files.readString(version).strip()).resolve("root");
        }
        catch (IOException e) {
            throw new IllegalStateException("No MySQL is set up: cannot read " + version + ". Run ./pq setup, or set -Dpq.mysql.home", e);
        }
    }
}
