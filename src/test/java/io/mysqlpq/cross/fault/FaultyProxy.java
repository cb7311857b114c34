package io.mysqlpq.cross.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between Trino and MySQL, passes bytes on, and fails as networks do when it is told to.
 *
 * <p>A fault strikes a connection in the midst of what the server sends, after so many bytes of one reply: only replies
 * with rows are so large.
 */
final class FaultyProxy
        implements AutoCloseable
{
    private final ServerSocket listener;
    private final Thread acceptor;
    private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
    private volatile int serverPort;
    private volatile ArmedFault armed = ArmedFault.NONE;

    FaultyProxy(int serverPort)
    {
        this.serverPort = serverPort;
        try {
            listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        acceptor = Thread.ofVirtual().name("faulty-proxy").start(this::accept);
    }

    String jdbcUrl()
    {
        return "jdbc:mysql://" + address();
    }

    String address()
    {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** Lets new connections lead to another server. */
    void redirect(int port)
    {
        serverPort = port;
    }

    /**
     * Lets the fault strike connections, open ones and new ones, each once.
     *
     * @param afterBytes of one reply, from now on
     * @param most connections that it strikes
     */
    void arm(NetworkFault fault, long afterBytes, int most)
    {
        connections.forEach(ProxiedConnection::countAnew);
        armed = new ArmedFault(fault, afterBytes, most);
    }

    /** Connections that the armed fault has struck. */
    int struck()
    {
        return armed.struck().get();
    }

    /** Ends the fault, and stalls that it made. Connections in a black hole stay there. */
    void disarm()
    {
        ArmedFault fault = armed;
        armed = ArmedFault.NONE;
        fault.disarmed().countDown();
    }

    /** Resets all connections that are open, and those that were just accepted. */
    synchronized void resetAll()
    {
        connections.forEach(ProxiedConnection::reset);
    }

    /** Resets every second one of them. */
    void resetHalf()
    {
        for (int i = 0; i < connections.size(); i += 2) {
            connections.get(i).reset();
        }
    }

    /** Connections that somebody still holds, as far as one can know: nobody hears of the ends of one in a black hole. */
    long openConnections()
    {
        return connections.stream().filter(connection -> !connection.isSwallowed()).count();
    }

    private void accept()
    {
        while (!listener.isClosed()) {
            try {
                begin(listener.accept());
            }
            catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private synchronized void begin(Socket client)
            throws IOException
    {
        ProxiedConnection connection;
        try {
            connection = new ProxiedConnection(client, serverPort, () -> armed, connections::remove);
        }
        catch (IOException e) {
            // The server is down: so it looks to the client too.
            client.close();
            return;
        }
        connections.add(connection);
        connection.start();
    }

    /** Ends all connections, also those in a black hole, and waits for their threads. */
    @Override
    public void close()
    {
        try {
            disarm();
            listener.close();
            acceptor.join();
            List<ProxiedConnection> open = List.copyOf(connections);
            open.forEach(ProxiedConnection::close);
            for (ProxiedConnection connection : open) {
                connection.join();
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
