package io.mysqlpq.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

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

    void kill()
    {
        process.destroyForcibly();
        endsWithin(SECONDS.toMillis(60));
    }
}
