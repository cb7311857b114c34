package io.mysqlpq.trino;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.mysqlpq.testing.MysqlServer;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.function.Predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Stands between Trino and a real MySQL, and answers some statements with an error that is hard to bring about there. */
final class RefusingProxy
        implements AutoCloseable
{
    private static final int QUERY = 3;
    private static final int PACKET_HEADER = 4;

    private final int mysqlPort;
    private final Predicate<String> refused;
    private final byte[] error;
    private final ServerSocket listener;

    RefusingProxy(MysqlServer mysql, Predicate<String> refused, int errorCode, String message)
            throws IOException
    {
        this.mysqlPort = URI.create(mysql.jdbcUrl().replaceFirst("^jdbc:", "")).getPort();
        this.refused = refused;
        this.error = errorPacket(errorCode, message);
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    // An error packet of the client/server protocol. It answers a statement, so it is the second packet of the exchange.
    private static byte[] errorPacket(int code, String message)
    {
        byte[] text = ("#HY000" + message).getBytes(UTF_8);
        ByteArrayDataOutput packet = ByteStreams.newDataOutput();
        packet.writeInt(Integer.reverseBytes(3 + text.length | 1 << 24));
        packet.write(0xFF);
        packet.writeShort(Short.reverseBytes((short) code));
        packet.write(text);
        return packet.toByteArray();
    }

    String jdbcUrl()
    {
        return "jdbc:mysql://localhost:%d?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(listener.getLocalPort());
    }

    private void accept()
    {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), mysqlPort);
                Thread.startVirtualThread(() -> answer(server, client));
                Thread.startVirtualThread(() -> ask(client, server));
            }
            catch (IOException e) {
                if (!listener.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    // Whichever side ends, the other one does too.
    private static void answer(Socket server, Socket client)
    {
        try (server; client) {
            server.getInputStream().transferTo(client.getOutputStream());
        }
        catch (IOException _) {
            // The client left first.
        }
    }

    private void ask(Socket client, Socket server)
    {
        try (client; server) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            for (byte[] header = in.readNBytes(PACKET_HEADER); header.length == PACKET_HEADER; header = in.readNBytes(PACKET_HEADER)) {
                byte[] payload = in.readNBytes((header[0] & 0xFF) | (header[1] & 0xFF) << 8 | (header[2] & 0xFF) << 16);
                if (payload.length > 0 && payload[0] == QUERY && refused.test(new String(payload, 1, payload.length - 1, UTF_8))) {
                    client.getOutputStream().write(error);
                }
                else {
                    out.write(header);
                    out.write(payload);
                }
            }
        }
        catch (IOException _) {
            // The server left first.
        }
    }

    @Override
    public void close()
            throws IOException
    {
        listener.close();
    }
}
