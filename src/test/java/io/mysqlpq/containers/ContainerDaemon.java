package io.mysqlpq.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Speaks to the Docker daemon by its own client, as a user does.
 */
final class ContainerDaemon
{
    private ContainerDaemon()
    {}

    /**
     * Skips the test where no daemon answers; with {@code -Dpq.docker.expected=true} the test fails there.
     */
    static void require()
    {
        boolean answers = exitCode(List.of("docker", "version")) == 0;
        if (Boolean.getBoolean("pq.docker.expected")) {
            assertThat(answers).as("a Docker daemon answers").isTrue();
        }
        assumeTrue(answers, "skipped: no Docker daemon answers");
    }

    static String docker(String... arguments)
    {
        return output(Stream.concat(Stream.of("docker"), Stream.of(arguments)).toList());
    }

    /**
     * @return what the command printed, both streams, without the last line's end
     * @throws IllegalStateException if it failed
     */
    static String output(List<String> command)
    {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8).stripTrailing();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("%s failed: %s".formatted(command, output));
            }
            return output;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while running " + command, e);
        }
    }

    private static int exitCode(List<String> command)
    {
        try {
            output(command);
            return 0;
        }
        catch (IllegalStateException | UncheckedIOException e) {
            return 1;
        }
    }
}
