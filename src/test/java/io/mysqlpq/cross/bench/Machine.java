package io.mysqlpq.cross.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Describes the machine that figures come from.
 */
final class Machine
{
    private Machine()
    {}

    static String description()
            throws IOException
    {
        String processor = value("/proc/cpuinfo", "model name");
        long gigabytes = Long.parseLong(value("/proc/meminfo", "MemTotal").split(" ", 2)[0]) >> 20;
        return "%d x %s, %d GB".formatted(Runtime.getRuntime().availableProcessors(), processor, gigabytes);
    }

    private static String value(String file, String name)
            throws IOException
    {
        return Files.readAllLines(Path.of(file)).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }
}
