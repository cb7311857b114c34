package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Holds what a scan took: time, what the operating system counted of the disk, the server's CPU and the extension's counters.
 *
 * @param reads requests that the disk completed, of whichever process
 */
record ScanFigures(double seconds, double reads, double kilobytes, double cpu, double asked, double resident, double looks)
{
    private static final double TICKS_PER_SECOND = 100;

    static ScanFigures now(MysqlServer server, Session session)
    {
        double[] disk = disk(server.dataDirectory());
        return new ScanFigures(
                System.nanoTime() / 1e9,
                disk[0],
                disk[1] / 2,
                cpu(server.pid()),
                StatusCounters.value(session, "readahead_pages_asked"),
                StatusCounters.value(session, "readahead_pages_resident"),
                StatusCounters.value(session, "readahead_looks"));
    }

    ScanFigures since(ScanFigures before)
    {
        return new ScanFigures(
                seconds - before.seconds,
                reads - before.reads,
                kilobytes - before.kilobytes,
                cpu - before.cpu,
                asked - before.asked,
                resident - before.resident,
                looks - before.looks);
    }

    // Reads completed and sectors read (Documentation/admin-guide/iostats.rst) of the device that holds the folder.
    private static double[] disk(Path folder)
    {
        try {
            long device = (Long) Files.getAttribute(folder, "unix:dev");
            String numbers = "%s %s".formatted(device >> 8 & 0xfff, device & 0xff);
            return Files.readAllLines(Path.of("/proc/diskstats")).stream()
                    .map(line -> List.of(line.strip().split("\\s+")))
                    .filter(fields -> "%s %s".formatted(fields.get(0), fields.get(1)).equals(numbers))
                    .map(fields -> new double[] {Double.parseDouble(fields.get(3)), Double.parseDouble(fields.get(5))})
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("No disk holds " + folder));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double cpu(long process)
    {
        try {
            String stat = Files.readString(Path.of("/proc/%s/stat".formatted(process)));
            // The name, in parentheses, may hold spaces.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Arrays.stream(fields, 11, 13).mapToDouble(Double::parseDouble).sum() / TICKS_PER_SECOND;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
