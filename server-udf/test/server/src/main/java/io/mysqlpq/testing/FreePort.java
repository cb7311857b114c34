package io.mysqlpq.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a port for a server that starts later, or that stops and starts again.
 *
 * <p>Linux gives ports from 32768 to connections and to servers that ask for any port. This one is below them, and none of them takes it before the
 * server listens.
 */
public final class FreePort
{
    private static final int FIRST = 15_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 100;

    private FreePort()
    {}

    public static int find()
    {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port from %s to %s in %s attempts".formatted(FIRST, END - 1, ATTEMPTS));
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
}
