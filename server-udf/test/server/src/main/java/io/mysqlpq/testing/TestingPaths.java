package io.mysqlpq.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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
                home == null ? onlyServerIn(state.resolve("mysql")) : Path.of(home).toAbsolutePath(),
                plugin == null ? state.resolve("build/udf/mysql_pq.so") : Path.of(plugin).toAbsolutePath());
    }

    public Path existingPluginFile()
    {
        if (!Files.isRegularFile(pluginFile)) {
            throw new IllegalStateException("The extension is not built: no file " + pluginFile + ". Build it, or set -Dpq.plugin.file");
        }
        return pluginFile;
    }

    private static Path onlyServerIn(Path versions)
    {
        List<Path> roots = List.of();
        if (Files.isDirectory(versions)) {
            try (Stream<Path> children = Files.list(versions)) {
                roots = children.map(version -> version.resolve("root")).filter(Files::isDirectory).toList();
            }
            catch (IOException e) {
                throw new IllegalStateException("Cannot list MySQL servers in " + versions, e);
            }
        }
        if (roots.size() != 1) {
            throw new IllegalStateException("Expected one extracted MySQL server in %s but found %s. Set -Dpq.mysql.home".formatted(versions, roots));
        }
        return roots.getFirst();
    }
}
