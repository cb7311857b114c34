package io.mysqlpq.cross.monitoring;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.testing.Await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Runs a program of Debian's packages for Prometheus, which ./pq unpacked.
 */
final class MonitoringProgram
        implements AutoCloseable
{
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final int RUN_SECONDS = 60;

    private final String name;
    private final Path log;
    private final Process process;
    private final Thread exitHook;

    MonitoringProgram(Path folder, String name, List<String> options)
    {
        this.name = name;
        this.log = folder.resolve(name + ".log");
        try {
            process = new ProcessBuilder(ImmutableList.<String>builder().add(program(name)).addAll(options).build())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name, e);
        }
        exitHook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(exitHook);
    }

    void awaitReady(BooleanSupplier ready)
    {
        Await.until(name + " is ready", START_TIMEOUT, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("%s ended while starting:\n%s".formatted(name, log()));
            }
            return ready.getAsBoolean();
        });
    }

    /** Waits for the program to end by itself, and returns what it printed. Fails if it says that something is wrong. */
    String run()
    {
        try {
            if (!process.waitFor(RUN_SECONDS, SECONDS)) {
                throw new AssertionError("%s has not ended within %d s:\n%s".formatted(name, RUN_SECONDS, log()));
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("%s ended with %d:\n%s".formatted(name, process.exitValue(), log()));
        }
        return log();
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
        try {
            process.waitFor(30, SECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(exitHook);
    }

    private String log()
    {
        try {
            return Files.readString(log);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String program(String name)
    {
        Path program = Path.of(System.getProperty("pq.prometheus.folder", ""), "usr/bin", name);
        if (!Files.isExecutable(program)) {
            throw new AssertionError("No program %s. ./pq test --set cross unpacks it; else give its folder: -Dpq.prometheus.folder=...".formatted(program));
        }
        return program.toAbsolutePath().toString();
    }
}
