package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells how many seconds of CPU the two servers have used since they started.
 */
record CpuTimes(double mysql, double trino)
{
    private static final double TICKS_PER_SECOND = 100;

    static CpuTimes now(long mysqlProcess, long trinoProcess)
            throws IOException
    {
        return new CpuTimes(seconds(mysqlProcess), seconds(trinoProcess));
    }

    CpuTimes since(CpuTimes earlier)
    {
        return new CpuTimes(mysql - earlier.mysql, trino - earlier.trino);
    }

    private static double seconds(long process)
            throws IOException
    {
        String stat = Files.readString(Path.of("/proc/%d/stat".formatted(process)));
        // The command's name may hold spaces. utime and stime are the 14th and 15th field, counted from 1.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }
}
