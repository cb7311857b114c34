package io.mysqlpq.cross;

import com.google.common.base.Splitter;
import io.mysqlpq.testing.random.RandomQuery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads a case that once was answered wrongly, or not at all: statements of MySQL, a line "-- queries of TABLES", and queries of Trino, each ended by a semicolon at the end of a line.
 * A line "-- with PROPERTY=VALUE, ..." before a query says what is not to be drawn of its settings.
 */
record FoundCase(String name, List<String> statements, List<String> tables, List<FoundQuery> queries)
{
    record FoundQuery(RandomQuery query, Map<String, String> properties)
    {}

    private static final Pattern SETTINGS = Pattern.compile("(?m)^-- with (.*)$");
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
                    ended(text.substring(endOfLine)).map(FoundCase::query).toList());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> statements(String text)
    {
        return ended(text).map(FoundCase::withoutComments).toList();
    }

    private static FoundQuery query(String text)
    {
        String sql = withoutComments(text);
        Matcher settings = SETTINGS.matcher(text);
        return new FoundQuery(
                new RandomQuery(sql, sql.contains("ORDER BY")),
                settings.find() ? Splitter.on(", ").withKeyValueSeparator('=').split(settings.group(1)) : Map.of());
    }

    private static Stream<String> ended(String text)
    {
        return Stream.of(text.split(";\\s*\n")).filter(statement -> !withoutComments(statement).isEmpty());
    }

    private static String withoutComments(String text)
    {
        return text.replaceAll("(?m)^--.*$", "").strip();
    }
}
