package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps each core of the machine busy with a process that computes nothing useful, at the priority of the servers.
 */
final class BusyCores
        implements AutoCloseable
{
    // Ends by itself, even where this process is killed.
    private static final List<String> COMMAND = List.of("timeout", "300", "sh", "-c", "while :; do :; done");

    private final List<Process> processes = new ArrayList<>();

    private BusyCores()
    {}

    static BusyCores all()
    {
        BusyCores busy = new BusyCores();
        try {
            for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
                busy.processes.add(new ProcessBuilder(COMMAND).start());
            }
        }
        catch (IOException e) {
            try (busy) {
                throw new UncheckedIOException("Cannot run " + COMMAND, e);
            }
        }
        return busy;
    }

    @Override
    public void close()
    {
        // timeout passes SIGTERM on to the shell.
        processes.forEach(Process::destroy);
        processes.forEach(process -> process.onExit().join());
    }
}
