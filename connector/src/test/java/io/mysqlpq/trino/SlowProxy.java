package io.mysqlpq.trino;

import io.mysqlpq.testing.MysqlServer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

import static java.lang.Math.max;

/** Stands between Trino and a real MySQL like a network that carries few bytes a second. */
final class SlowProxy
        implements AutoCloseable
{
    private static final int PACKET = 16 * 1024;

    private final MysqlServer mysql;
    private final double nanosPerByte;
    private final long burstNanos;
    private final ServerSocket listener;

    /**
     * @param bytesPerSecond what it carries for each connection, from MySQL to Trino
     * @param burst bytes that pass at once after a pause
     */
    SlowProxy(MysqlServer mysql, int bytesPerSecond, int burst)
            throws IOException
    {
        this.mysql = mysql;
        this.nanosPerByte = 1e9 / bytesPerSecond;
        this.burstNanos = (long) (burst * nanosPerByte);
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    String jdbcUrl()
    {
        return "jdbc:mysql://localhost:%d?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(listener.getLocalPort());
    }

    private void accept()
    {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            }
            catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void connect(Socket client)
            throws IOException
    {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), mysql.port());
        }
        catch (IOException _) {
            client.close();
            return;
        }
        Thread.startVirtualThread(() -> copy(server, client, nanosPerByte, burstNanos));
        Thread.startVirtualThread(() -> copy(client, server, 0, 0));
    }

    // Whichever side ends, the other one does too.
    private static void copy(Socket from, Socket to, double nanosPerByte, long burstNanos)
    {
        byte[] packet = new byte[PACKET];
        long free = System.nanoTime() - burstNanos;
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int bytes = in.read(packet); bytes >= 0; bytes = in.read(packet)) {
                free = max(free, System.nanoTime() - burstNanos) + (long) (bytes * nanosPerByte);
                LockSupport.parkNanos(free - System.nanoTime());
                out.write(packet, 0, bytes);
            }
        }
        catch (IOException _) {
            // The other side left first.
        }
    }

    @Override
    public void close()
            throws IOException
    {
        listener.close();
    }
}
