package io.mysqlpq.trino.connection;

import com.mysql.cj.conf.PropertySet;
import com.mysql.cj.protocol.StandardSocketFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

import static jdk.net.ExtendedSocketOptions.TCP_KEEPCOUNT;
import static jdk.net.ExtendedSocketOptions.TCP_KEEPIDLE;
import static jdk.net.ExtendedSocketOptions.TCP_KEEPINTERVAL;

/**
 * Makes the driver's sockets notice within a minute that nobody is at the other end, because a host lost power or a network drops packets.
 *
 * <p>A server at work on a long statement is as silent, but its kernel answers. The driver itself asks for keep-alive, which by the
 * system's default begins after two hours.
 */
public final class KeepAliveSockets
        extends StandardSocketFactory
{
    private static final int IDLE_SECONDS = 30;
    private static final int INTERVAL_SECONDS = 10;
    private static final int PROBES = 3;

    @Override
    protected Socket createSocket(PropertySet properties)
    {
        Socket socket = super.createSocket(properties);
        try {
            socket.setOption(TCP_KEEPIDLE, IDLE_SECONDS);
            socket.setOption(TCP_KEEPINTERVAL, INTERVAL_SECONDS);
            socket.setOption(TCP_KEEPCOUNT, PROBES);
            return socket;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
