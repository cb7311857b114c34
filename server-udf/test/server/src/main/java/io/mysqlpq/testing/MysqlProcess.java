package io.mysqlpq.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Owns one mysqld process.
 */
final class MysqlProcess
{
    private final Process process;

    MysqlProcess(List<String> command, Path workingFolder, Path output)
    {
        try {
            process = new ProcessBuilder(command)
                    .directory(workingFolder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
        }
        catch (IOException e) {
            throw new IllegalStateException("Cannot start " + command, e);
        }
    }

    long pid()
    {
        return process.pid();
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    // Waits a moment; true if the process ended in it.
    boolean endsWithin(long timeoutMillis)
    {
        try {
            return process.waitFor(timeoutMillis, MILLISECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for mysqld", e);
        }
    }

    // Asks for an orderly shutdown; a server that does not obey in time is a failure.
    void stop(Duration timeout)
    {
        process.destroy();
        boolean obeyed = endsWithin(timeout.toMillis());
        kill();
        if (!obeyed) {
            throw new IllegalStateException("mysqld %s did not shut down within %s and was killed".formatted(pid(), timeout));
        }
    }

    // The signal is sent at once, and some threads go on until the kernel next looks at them.
    void freeze()
    {
        signal("STOP");
        Await.until("all threads of mysqld stand still", this::standsStill);
    }

    void thaw()
    {
        signal("CONT");
    }

    private void signal(String name)
    {
        try {
            int code = new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start().waitFor();
            if (code != 0) {
                throw new IllegalStateException("mysqld %s cannot be signalled: kill -%s ended with %s".formatted(pid(), name, code));
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while mysqld is signalled", e);
        }
    }

    private boolean standsStill()
    {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid()), "task"))) {
            return threads.allMatch(MysqlProcess::isStopped);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The state is what follows the name, which is in parentheses and may hold some.
    private static boolean isStopped(Path thread)
    {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.startsWith(") T ", stat.lastIndexOf(')'));
        }
        catch (IOException _) {
            // It has ended meanwhile.
            return false;
        }
    }

    void kill()
    {
        process.destroyForcibly();
        endsWithin(SECONDS.toMillis(60));
    }
}
