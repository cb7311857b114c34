package io.mysqlpq.cross.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static java.time.temporal.ChronoUnit.SECONDS;
import static java.util.stream.Collectors.joining;

/**
 * Collects the figures of all cases, prints them as a table and keeps them as JSON.
 */
final class BenchReport
{
    private final String scale;
    private final int rounds;
    private final Set<String> commits = new LinkedHashSet<>();
    private final Instant began = Instant.now().truncatedTo(SECONDS);
    private final List<List<Figures>> cases = new ArrayList<>();
    private Optional<ScalingModel> model = Optional.empty();

    BenchReport(String scale, int rounds, String commit)
    {
        this.scale = scale;
        this.rounds = rounds;
        commits.add(commit);
    }

    /** @param sides the figures of one query, the side that others are divided by first */
    void add(List<Figures> sides)
    {
        cases.add(List.copyOf(sides));
        System.out.println(sides.stream()
                .map(side -> "%s %s".formatted(side.side(), FigureTables.main(side)))
                .collect(joining(", ", "  %s: ".formatted(sides.getFirst().query()), "")));
    }

    void add(ScalingModel found)
    {
        model = Optional.of(found);
    }

    /**
     * Goes on where another run was ended. Sides are only ever compared within a case, and each case is of one run.
     *
     * @param file that the other run wrote
     * @throws IllegalArgumentException if its figures are not comparable with ours
     */
    void resume(Path file)
            throws IOException
    {
        WrittenResults earlier = WrittenResults.read(file);
        earlier.requireSame("scale", earlier.scale(), scale);
        earlier.requireSame("rounds", earlier.rounds(), rounds);
        earlier.requireSame("machine", earlier.machine(), Machine.description());
        cases.addAll(earlier.cases());
        model = earlier.model().stream().findFirst();
        // Its own first, as most figures are its.
        List<String> ours = List.copyOf(commits);
        commits.clear();
        commits.addAll(List.of(earlier.commit().split(", ", -1)));
        commits.addAll(ours);
    }

    boolean has(String query)
    {
        return cases.stream().anyMatch(sides -> sides.getFirst().query().equals(query));
    }

    boolean hasModel()
    {
        return model.isPresent();
    }

    private String commit()
    {
        return String.join(", ", commits);
    }

    void print(PrintStream out)
            throws IOException
    {
        new FigureTables(cases).print(out);
        model.ifPresent(found -> found.print(out));
        out.printf("(TPC-H at scale %s, warm, medians of %d interleaved runs, all answers equal, commit %s; %s)%n", scale, rounds, commit(), Machine.description());
    }

    BenchResults results()
    {
        return new BenchResults(scale, rounds, cases.stream().flatMap(List::stream).toList(), model);
    }

    /** @return the file, which scripts/plots draws too */
    Path write(Path folder)
            throws IOException
    {
        Path file = Files.createDirectories(folder).resolve("bench-%s-sf%s.json".formatted(began.toString().replace(":", ""), scale));
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), new WrittenResults(
                began.toString(),
                commit(),
                Machine.description(),
                scale,
                rounds,
                results().figures(),
                model.stream().toList()));
        return file;
    }
}
