package io.mysqlpq.trino;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

/** Reads the tables of docs/metrics.md, each by the section that it stands in. */
final class MetricsPage
{
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "docs", "metrics.md");
    private static final Set<String> KINDS = Set.of("counter", "gauge");

    private MetricsPage()
    {}

    /** Names of a table's metrics: what its first columns hold, up to the one named "kind", with dots between. */
    static Set<String> metrics(String section)
    {
        List<List<String>> table = table(section);
        int kind = table.getFirst().indexOf("kind");
        assertThat(kind).as("the column kind of %s", section).isPositive();
        List<List<String>> rows = table.subList(1, table.size());
        assertThat(rows).as(section).allSatisfy(row -> {
            assertThat(row.get(kind)).isIn(KINDS);
            assertThat(row.subList(kind + 1, row.size())).allSatisfy(cell -> assertThat(cell).isNotEmpty());
        });
        return names(rows, kind);
    }

    /** The same of a table without kinds: its first columns, as many as given. */
    static Set<String> names(String section, int columns)
    {
        List<List<String>> table = table(section);
        return names(table.subList(1, table.size()), columns);
    }

    private static Set<String> names(List<List<String>> rows, int columns)
    {
        Set<String> names = rows.stream()
                .map(row -> String.join(".", row.subList(0, columns)).replace("`", ""))
                .collect(toImmutableSet());
        assertThat(names).as("names, each once").hasSize(rows.size());
        return names;
    }

    // With its head, without the line below that.
    private static List<List<String>> table(String section)
    {
        String page = read();
        String head = "\n## %s\n".formatted(section);
        assertThat(page).contains(head);
        List<List<String>> lines = page.substring(page.indexOf(head) + head.length()).split("\n## ", 2)[0].lines()
                .filter(line -> line.startsWith("|") && !line.startsWith("|---"))
                .map(line -> Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1)).map(String::strip).toList())
                .toList();
        assertThat(lines).as("the table of %s", section).hasSizeGreaterThan(1);
        return lines;
    }

    private static String read()
    {
        try {
            return Files.readString(PAGE);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
