package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells the most memory that the two servers held at any moment since the last reset, in bytes.
 */
record MemoryPeaks(long mysql, long trino)
{
    // Makes Linux begin anew with VmHWM: see proc_pid_clear_refs(5).
    private static final String RESET_PEAK = "5";

    static MemoryPeaks now(long mysqlProcess, long trinoProcess)
            throws IOException
    {
        return new MemoryPeaks(bytes(mysqlProcess), bytes(trinoProcess));
    }

    /** Has no effect where the system does not let us: peaks are then those since the process started. */
    static void reset(long process)
    {
        try {
            Files.writeString(Path.of("/proc/%d/clear_refs".formatted(process)), RESET_PEAK);
        }
        catch (IOException _) {
            // Only the owner of a process may, and only where the kernel was built with it.
        }
    }

    private static long bytes(long process)
            throws IOException
    {
        return peak(Files.readString(Path.of("/proc/%d/status".formatted(process))));
    }

    static long peak(String status)
    {
        return status.lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No VmHWM in " + status));
    }
}
