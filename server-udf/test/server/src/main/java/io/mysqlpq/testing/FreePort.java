package io.mysqlpq.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * Finds a port for a server that starts later, or that stops and starts again.
 *
 * <p>Linux gives ports from 32768 to connections and to servers that ask for any port. This one is below them, and none of them takes it before the
 * server listens. Nor does another test: a port is this process's until the process ends.
 */
public final class FreePort
{
    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 100;
    // The byte at a port's number is locked by the process whose port it is.
    private static final FileChannel OWNERS = open(Path.of(System.getProperty("java.io.tmpdir"), "mysql_pq_ports_of_" + System.getProperty("user.name")));

    private FreePort()
    {}

    public static int find()
    {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (take(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port from %s to %s in %s attempts".formatted(FIRST, END - 1, ATTEMPTS));
    }

    private static boolean take(int port)
    {
        try {
            return OWNERS.tryLock(port, 1, false) != null;
        }
        catch (OverlappingFileLockException _) {
            // It is another test's of this process.
            return false;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port)
    {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        }
        catch (IOException _) {
            return false;
        }
    }

    private static FileChannel open(Path file)
    {
        try {
            return FileChannel.open(file, CREATE, WRITE);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
