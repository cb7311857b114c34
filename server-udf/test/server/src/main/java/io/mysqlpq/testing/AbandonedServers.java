package io.mysqlpq.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kills servers and deletes folders that a test JVM left because it was killed itself.
 *
 * <p>A folder's name holds the process id of the JVM that made it.
 */
final class AbandonedServers
{
    private static final Pattern FOLDER = Pattern.compile("mysql-of-(\\d+)-.*");

    private AbandonedServers()
    {}

    static String folderPrefix()
    {
        return "mysql-of-%s-".formatted(ProcessHandle.current().pid());
    }

    static void sweep(Path parent)
    {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
            for (Path folder : folders) {
                Matcher name = FOLDER.matcher(folder.getFileName().toString());
                if (name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    serverIn(folder).ifPresent(ProcessHandle::destroyForcibly);
                    Folders.delete(folder);
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot sweep " + parent, e);
        }
    }

    // Process ids are used again: only a process that runs on this very folder is the server.
    private static Optional<ProcessHandle> serverIn(Path folder)
            throws IOException
    {
        Path pidFile = folder.resolve("data/mysqld.pid");
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip()))
                .filter(process -> runsOn(process, folder));
    }

    private static boolean runsOn(ProcessHandle process, Path folder)
    {
        try {
            return Files.readString(Path.of("/proc/%s/cmdline".formatted(process.pid()))).contains(folder.toString());
        }
        catch (IOException e) {
            return false;
        }
    }
}
