package io.mysqlpq.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * Initialises a data folder once per server build, to be copied by every server that starts.
 */
record DataTemplate(MysqlHome home, Path folder)
{
    void copyTo(Path dataDirectory)
    {
        Folders.copy(initialised(), dataDirectory);
    }

    // The lock file keeps out other processes, synchronized keeps out other threads of this one.
    private Path initialised()
    {
        Path template = folder.resolve(home.buildKey());
        synchronized (DataTemplate.class) {
            try {
                Files.createDirectories(folder);
                try (FileChannel channel = FileChannel.open(folder.resolve("lock"), CREATE, WRITE); FileLock _ = channel.lock()) {
                    if (!Files.isDirectory(template)) {
                        initialise(template);
                    }
                }
            }
            catch (IOException e) {
                throw new IllegalStateException("Cannot make the data template " + template, e);
            }
        }
        return template;
    }

    private void initialise(Path template)
            throws IOException
    {
        Path unfinished = folder.resolve("unfinished");
        Folders.delete(unfinished);
        Path log = folder.resolve("initialize.log");
        Process process = new ProcessBuilder(home.mysqld(List.of(
                "--initialize-insecure",
                "--datadir=" + unfinished,
                "--innodb-redo-log-capacity=8M",
                "--skip-log-bin")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        awaitSuccess(process, log);
        // Each copy must make a server UUID of its own.
        Files.deleteIfExists(unfinished.resolve("auto.cnf"));
        Files.move(unfinished, template, ATOMIC_MOVE);
    }

    private static void awaitSuccess(Process process, Path log)
            throws IOException
    {
        try {
            if (!process.waitFor(2, MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("mysqld --initialize-insecure failed: " + Files.readString(log));
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while initialising a data folder", e);
        }
        finally {
            process.destroyForcibly();
        }
    }
}
