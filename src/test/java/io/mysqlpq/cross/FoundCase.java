package io.mysqlpq.cross;

import io.mysqlpq.testing.random.RandomQuery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads a case that once was answered wrongly, or not at all: statements of MySQL, a line "-- queries of TABLES", and queries of Trino, each ended by a semicolon at the end of a line.
 */
record FoundCase(String name, List<String> statements, List<String> tables, List<RandomQuery> queries)
{
    private static final String DIVIDER = "-- queries of ";

    static List<FoundCase> all()
    {
        try (Stream<Path> files = Files.list(Path.of(requireNonNull(FoundCase.class.getResource("/differential")).toURI()))) {
            return files.sorted().map(FoundCase::read).toList();
        }
        catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("Cannot list the cases", e);
        }
    }

    private static FoundCase read(Path file)
    {
        try {
            String text = Files.readString(file);
            int divider = text.indexOf(DIVIDER);
            assertThat(divider).as("place of \"%s\" in %s", DIVIDER, file).isNotNegative();
            int endOfLine = text.indexOf('\n', divider);
            return new FoundCase(
                    file.getFileName().toString(),
                    statements(text.substring(0, divider)),
                    List.of(text.substring(divider + DIVIDER.length(), endOfLine).split(", ")),
                    statements(text.substring(endOfLine)).stream().map(sql -> new RandomQuery(sql, sql.contains("ORDER BY"))).toList());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> statements(String text)
    {
        return Stream.of(text.replaceAll("(?m)^--.*$", "").split(";\\s*\n")).map(String::strip).filter(statement -> !statement.isEmpty()).toList();
    }
}
