package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes the loopback device of the network namespace that we run in as slow as a network.
 *
 * <p>The script runs both servers and us in a namespace of their own, so that nothing else is slowed down.
 */
final class Link
        implements AutoCloseable
{
    static final double BITS_PER_SECOND = 1e9;
    // What frames of 1500 bytes with their headers and gaps leave of it; loopback's frames have up to 64 KB.
    private static final String PAYLOAD_RATE = "941mbit";

    private Link()
    {}

    static Link limited()
    {
        // The bucket holds a few of loopback's largest frames, the queue what TCP sends ahead.
        tc("add", "dev", "lo", "root", "tbf", "rate", PAYLOAD_RATE, "burst", "256kb", "limit", "4mb");
        return new Link();
    }

    @Override
    public void close()
    {
        tc("del", "dev", "lo", "root");
    }

    private static void tc(String... arguments)
    {
        List<String> command = new ArrayList<>(List.of("tc", "qdisc"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("%s failed: %s".formatted(command, output));
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + command, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while running " + command, e);
        }
    }
}
