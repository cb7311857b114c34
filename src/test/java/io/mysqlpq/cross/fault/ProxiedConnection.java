package io.mysqlpq.cross.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.lang.Math.max;
import static java.lang.Math.min;

/** Passes the bytes of one connection on, by a thread for each direction. */
final class ProxiedConnection
{
    private static final int BUFFER_BYTES = 16 * 1024;
    // The buffer is so small that a server with more to send has to wait when nothing passes.
    private static final int RECEIVE_BYTES = 64 * 1024;

    private final Socket client;
    private final Socket server = new Socket();
    private final Supplier<ArmedFault> armed;
    private final Consumer<ProxiedConnection> whenEnded;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread answers = Thread.ofVirtual().name("faulty-proxy-answers").unstarted(() -> pass(this::answer));
    private final Thread requests = Thread.ofVirtual().name("faulty-proxy-requests").unstarted(() -> pass(this::request));
    private final AtomicLong passedBytes = new AtomicLong();
    private volatile ArmedFault met;
    private volatile boolean swallowed;

    ProxiedConnection(Socket client, int serverPort, Supplier<ArmedFault> armed, Consumer<ProxiedConnection> whenEnded)
            throws IOException
    {
        this.client = client;
        this.armed = armed;
        this.whenEnded = whenEnded;
        server.setReceiveBufferSize(RECEIVE_BYTES);
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start()
    {
        answers.start();
        requests.start();
    }

    boolean isSwallowed()
    {
        return swallowed;
    }

    void countAnew()
    {
        passedBytes.set(0);
    }

    void reset()
    {
        try {
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
        }
        catch (IOException _) {
            // It has ended by itself.
        }
        close();
    }

    void close()
    {
        ended.countDown();
        try (client; server) {
            whenEnded.accept(this);
        }
        catch (IOException _) {
            // It has ended by itself.
        }
    }

    void join()
            throws InterruptedException
    {
        answers.join();
        requests.join();
    }

    private interface Passing
    {
        void run()
                throws IOException, InterruptedException;
    }

    // Whichever side ends, the other one does too.
    private void pass(Passing passing)
    {
        try {
            passing.run();
        }
        catch (IOException _) {
            // One side left first.
        }
        catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        finally {
            end();
        }
    }

    // If one side leaves a black hole, the other side does not hear of it either.
    private void end()
    {
        try {
            if (swallowed) {
                ended.await();
            }
        }
        catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    private void request()
            throws IOException
    {
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            if (swallowed) {
                return;
            }
            countAnew();
            out.write(buffer, 0, count);
        }
    }

    private void answer()
            throws IOException, InterruptedException
    {
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            ArmedFault fault = armed.get();
            int before = (int) max(min(count, fault.afterBytes() - passedBytes.get()), 0);
            if (before < count && !fault.equals(met) && fault.strikes()) {
                met = fault;
                out.write(buffer, 0, before);
                strike(fault, buffer, before);
                out.write(buffer, before, count - before);
            }
            else {
                out.write(buffer, 0, count);
            }
            passedBytes.addAndGet(count);
        }
    }

    private void strike(ArmedFault fault, byte[] buffer, int position)
            throws IOException, InterruptedException
    {
        switch (fault.fault()) {
            case NetworkFault.Reset _ -> {
                reset();
                throw new IOException("Reset");
            }
            case NetworkFault.BlackHole _ -> {
                swallowed = true;
                throw new IOException("Swallowed");
            }
            case NetworkFault.Stall(var duration) -> {
                boolean _ = fault.disarmed().await(duration.toMillis(), TimeUnit.MILLISECONDS);
            }
            case NetworkFault.Corruption _ -> buffer[position] ^= 0x55;
        }
    }
}
