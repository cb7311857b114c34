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

/** Stands between Trino and a real MySQL like a network that carries few bytes a second. */
final class SlowProxy
        implements AutoCloseable
{
    private static final int PACKET = 16 * 1024;

    private final MysqlServer mysql;
    private final double nanosPerByte;
    private final ServerSocket listener;

    /** @param bytesPerSecond what it carries for each connection, from MySQL to Trino */
    SlowProxy(MysqlServer mysql, int bytesPerSecond)
            throws IOException
    {
        this.mysql = mysql;
        this.nanosPerByte = 1e9 / bytesPerSecond;
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
        Thread.startVirtualThread(() -> copy(server, client, nanosPerByte));
        Thread.startVirtualThread(() -> copy(client, server, 0));
    }

    // Whichever side ends, the other one does too.
    private static void copy(Socket from, Socket to, double nanosPerByte)
    {
        byte[] packet = new byte[PACKET];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int bytes = in.read(packet); bytes >= 0; bytes = in.read(packet)) {
                LockSupport.parkNanos((long) (bytes * nanosPerByte));
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
