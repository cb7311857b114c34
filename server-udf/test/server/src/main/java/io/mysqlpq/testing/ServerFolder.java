package io.mysqlpq.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

/**
 * Lays out the private folder of one test server: data, plugins, error log.
 */
record ServerFolder(Path root)
{
    // With a copy of the given data, or with new data.
    static ServerFolder create(TestingPaths paths, Optional<Path> data)
    {
        try {
            Path parent = Files.createDirectories(paths.state().resolve("run/tests"));
            AbandonedServers.sweep(parent);
            ServerFolder folder = new ServerFolder(Files.createTempDirectory(parent, AbandonedServers.folderPrefix()));
            linkShippedPlugins(paths.mysqlHome().resolve("usr/lib/mysql/plugin"), Files.createDirectory(folder.plugins()));
            if (Files.isRegularFile(paths.pluginFile())) {
                folder.installPlugin(paths.pluginFile());
            }
            DataTemplate template = new DataTemplate(new MysqlHome(paths.mysqlHome()), paths.state().resolve("datadir-template"));
            data.ifPresentOrElse(given -> Folders.copy(given, folder.data()), () -> template.copyTo(folder.data()));
            return folder;
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot make a folder for a test server", e);
        }
    }

    // The server loads some of its own components from there, if it was built with such.
    private static void linkShippedPlugins(Path shipped, Path plugins)
            throws IOException
    {
        if (!Files.isDirectory(shipped)) {
            return;
        }
        try (DirectoryStream<Path> libraries = Files.newDirectoryStream(shipped, "*.so")) {
            for (Path library : libraries) {
                Files.createSymbolicLink(plugins.resolve(library.getFileName()), library);
            }
        }
    }

    // Moved into place whole, since a running server may have the old file mapped.
    void installPlugin(Path library)
    {
        try {
            Path unfinished = Files.copy(library, root.resolve("mysql_pq.so"), REPLACE_EXISTING);
            Files.move(unfinished, plugins().resolve("mysql_pq.so"), REPLACE_EXISTING, ATOMIC_MOVE);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot install " + library, e);
        }
    }

    // The server reads the manifest beside its program, and the component its settings beside its library.
    Path installKeyring(Path program)
    {
        try {
            Path link = Files.createSymbolicLink(Files.createDirectory(root.resolve("bin")).resolve("mysqld"), program);
            Files.writeString(link.resolveSibling("mysqld.my"), "{\"components\": \"file://component_keyring_file\"}");
            Files.writeString(plugins().resolve("component_keyring_file.cnf"), "{\"path\": \"%s\", \"read_only\": false}".formatted(root.resolve("keyring")));
            return link;
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot install a keyring in " + root, e);
        }
    }

    Path data()
    {
        return root.resolve("data");
    }

    Path plugins()
    {
        return root.resolve("plugins");
    }

    ErrorLog errorLog()
    {
        return new ErrorLog(root.resolve("error.log"));
    }
}
