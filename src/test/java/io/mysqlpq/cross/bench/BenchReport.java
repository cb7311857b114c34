package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.mysqlpq.cross.running.TextTable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static java.time.temporal.ChronoUnit.SECONDS;

/**
 * Collects the figures of all queries, prints them as a table and keeps them as JSON.
 */
final class BenchReport
{
    private final String scale;
    private final int rounds;
    private final String commit;
    private final Instant began = Instant.now().truncatedTo(SECONDS);
    private final List<List<Figures>> queries = new ArrayList<>();

    BenchReport(String scale, int rounds, String commit)
    {
        this.scale = scale;
        this.rounds = rounds;
        this.commit = commit;
    }

    /** @param sides the figures of one query, the side that others are divided by first */
    void add(List<Figures> sides)
    {
        queries.add(List.copyOf(sides));
        System.out.println("  " + String.join("  ", row(sides)));
    }

    void print(PrintStream out)
            throws IOException
    {
        List<String> header = new ArrayList<>(List.of("query"));
        for (Figures side : queries.getFirst()) {
            header.addAll(List.of(side.side() + " s", "mysqld CPU s", "Trino CPU s"));
        }
        queries.getFirst().stream().skip(1).forEach(side -> header.add("%s / %s".formatted(side.side(), queries.getFirst().getFirst().side())));
        TextTable table = new TextTable(header, IntStream.range(0, header.size()).mapToObj(column -> column > 0).toList());
        queries.forEach(sides -> table.add(row(sides)));
        out.println();
        table.print(out);
        out.printf("(TPC-H at scale %s, warm, medians of %d interleaved runs, all answers equal, commit %s; %s)%n", scale, rounds, commit, machine());
    }

    private static List<String> row(List<Figures> sides)
    {
        List<String> row = new ArrayList<>(List.of(sides.getFirst().query()));
        for (Figures side : sides) {
            row.add("%.3f".formatted(side.median(Sample::seconds)));
            row.add("%.2f".formatted(side.median(sample -> sample.cpu().mysql())));
            row.add("%.2f".formatted(side.median(sample -> sample.cpu().trino())));
        }
        sides.stream().skip(1).forEach(side -> row.add("%.2f".formatted(side.ratioTo(sides.getFirst()))));
        return row;
    }

    /** @return the file */
    Path write(Path folder)
            throws IOException
    {
        Files.createDirectories(folder);
        Path file = folder.resolve("bench-%s-sf%s.json".formatted(began.toString().replace(":", ""), scale));
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), Map.of(
                "began", began.toString(),
                "commit", commit,
                "machine", machine(),
                "scale", scale,
                "rounds", rounds,
                "figures", queries.stream().flatMap(List::stream).toList()));
        return file;
    }

    private static String machine()
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
