package io.mysqlpq.cross.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Mounts a file system of a few megabytes. Needs root; a test that cannot have it fails. */
final class TinyDisk
        implements AutoCloseable
{
    private final Path folder;

    TinyDisk(int megabytes)
    {
        try {
            folder = Files.createTempDirectory("tiny-disk-");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("mount", "-t", "tmpfs", "-o", "size=%sm".formatted(megabytes), "tmpfs", folder.toString());
    }

    Path folder()
    {
        return folder;
    }

    @Override
    public void close()
    {
        run("umount", folder.toString());
        try {
            Files.delete(folder);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(String... command)
    {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("%s failed, which tests of a full disk need root for: %s".formatted(String.join(" ", command), output));
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
    }
}
