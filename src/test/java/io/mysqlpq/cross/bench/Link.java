package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

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

    /** Puts each of some servers behind a link of its own. What all else sends is as fast as ever. */
    static Link limitedByPort(List<Integer> ports)
    {
        tc("add", "dev", "lo", "root", "handle", "1:", "htb");
        Link link = new Link();
        for (int i = 0; i < ports.size(); i++) {
            String server = "1:" + (i + 1);
            run("tc", "class", "add", "dev", "lo", "parent", "1:", "classid", server, "htb", "rate", PAYLOAD_RATE, "burst", "256kb", "quantum", "65536");
            tc("add", "dev", "lo", "parent", server, "bfifo", "limit", "4mb");
            run("tc", "filter", "add", "dev", "lo", "parent", "1:", "protocol", "ip", "u32", "match", "ip", "sport", String.valueOf(ports.get(i)), "0xffff", "flowid", server);
        }
        return link;
    }

    @Override
    public void close()
    {
        tc("del", "dev", "lo", "root");
    }

    private static void tc(String... arguments)
    {
        run(Stream.concat(Stream.of("tc", "qdisc"), Stream.of(arguments)).toArray(String[]::new));
    }

    private static void run(String... arguments)
    {
        List<String> command = List.of(arguments);
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
