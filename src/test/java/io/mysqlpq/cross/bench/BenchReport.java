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
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

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
        System.out.println(sides.stream()
                .map(side -> "%s %.3f s".formatted(side.side(), side.median(Sample::seconds)))
                .collect(joining(", ", "  %s: ".formatted(sides.getFirst().query()), "")));
    }

    void print(PrintStream out)
            throws IOException
    {
        String first = queries.getFirst().getFirst().side();
        List<String> header = List.of("query", "side", "s", "/ " + first, "mysqld CPU s", "Trino CPU s", "mysqld MB", "Trino MB");
        TextTable table = new TextTable(header, IntStream.range(0, header.size()).mapToObj(column -> column > 1).toList());
        queries.forEach(sides -> sides.forEach(side -> table.add(row(side, sides.getFirst()))));
        out.println();
        table.print(out);
        out.printf("(TPC-H at scale %s, warm, medians of %d interleaved runs, all answers equal, commit %s; %s)%n", scale, rounds, commit, Machine.description());
    }

    private static List<String> row(Figures side, Figures first)
    {
        return List.of(
                side.side().equals(first.side()) ? side.query() : "",
                side.side(),
                "%.3f".formatted(side.median(Sample::seconds)),
                "%.2f".formatted(side.ratioTo(first)),
                "%.2f".formatted(side.median(sample -> sample.cpu().mysql())),
                "%.2f".formatted(side.median(sample -> sample.cpu().trino())),
                "%.0f".formatted(side.median(sample -> sample.memory().mysql()) / (1 << 20)),
                "%.0f".formatted(side.median(sample -> sample.memory().trino()) / (1 << 20)));
    }

    BenchResults results()
    {
        return new BenchResults(scale, rounds, queries.stream().flatMap(List::stream).toList());
    }

    /** @return the files: figures, and a plot of them */
    List<Path> write(Path folder)
            throws IOException
    {
        Files.createDirectories(folder);
        String name = "bench-%s-sf%s".formatted(began.toString().replace(":", ""), scale);
        return List.of(writeFigures(folder.resolve(name + ".json")), Files.writeString(folder.resolve(name + ".svg"), plot().svg()));
    }

    private BarPlot plot()
            throws IOException
    {
        return new BarPlot(
                "TPC-H at scale %s, seconds, shorter is better".formatted(scale),
                "%s; commit %s; %s; warm, medians of %d interleaved runs; bars are to scale within a query".formatted(Machine.description(), commit, began, rounds),
                results().figures().stream().map(Figures::side).distinct().toList(),
                queries.stream().map(sides -> new BarGroup(sides.getFirst().query(), sides.stream().collect(toMap(Figures::side, side -> side.median(Sample::seconds))))).toList());
    }

    private Path writeFigures(Path file)
            throws IOException
    {
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), Map.of(
                "began", began.toString(),
                "commit", commit,
                "machine", Machine.description(),
                "scale", scale,
                "rounds", rounds,
                "figures", results().figures()));
        return file;
    }
}
