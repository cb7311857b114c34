package io.mysqlpq.cross;

import io.mysqlpq.testing.TestingPaths;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Runs Python with the packages that a requirements file names, in an environment that the state folder keeps.
 */
final class PythonEnvironment
{
    private static final long MINUTES = 5;

    private final Path python;

    private PythonEnvironment(Path python)
    {
        this.python = requireNonNull(python, "python is null");
    }

    /** The environment has a stamp that says what it was made of, so that others come to be when the packages change. */
    static PythonEnvironment of(String name, Path requirements)
    {
        Path folder = TestingPaths.fromSystemProperties().state().resolve(name);
        Path stamp = folder.resolve("packages");
        Path python = folder.resolve("bin/python");
        try {
            String wanted = Files.readString(requirements);
            if (!Files.exists(stamp) || !Files.readString(stamp).equals(wanted)) {
                run(List.of("python3", "-m", "venv", "--clear", folder.toString()), Map.of());
                run(List.of(python.toString(), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "-r", requirements.toString()), Map.of());
                Files.writeString(stamp, wanted);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException("No Python environment in " + folder, e);
        }
        return new PythonEnvironment(python);
    }

    /** What the program prints; it must end well. */
    String run(Map<String, String> environment, List<String> arguments)
    {
        return run(concat(python.toString(), arguments), environment);
    }

    private static List<String> concat(String first, List<String> rest)
    {
        return Stream.concat(Stream.of(first), rest.stream()).toList();
    }

    private static String run(List<String> command, Map<String, String> environment)
    {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new AssertionError("Failed: %s\n%s".formatted(String.join(" ", command), output));
            }
            return output;
        }
        catch (IOException e) {
            throw new UncheckedIOException("Does not start: " + command, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
