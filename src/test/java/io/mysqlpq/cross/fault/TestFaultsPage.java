package io.mysqlpq.cross.fault;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that docs/reliability.md tells of each fault what comes of it; that the tests which it names ran, ./pq test makes sure of. */
class TestFaultsPage
{
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "reliability.md");
    private static final String BEGIN = "## Faults\n";

    @Test
    void testEachFaultHasARow()
            throws IOException
    {
        List<List<String>> rows = rows();
        assertThat(rows).extracting(List::getFirst).containsExactly(Arrays.stream(Fault.values()).map("`%s`"::formatted).toArray(String[]::new));
        for (List<String> row : rows) {
            Fault fault = Fault.valueOf(row.getFirst().replace("`", ""));
            assertThat(row.get(2)).as("what comes of %s", fault)
                    .startsWith(fault.outcome().words())
                    .satisfies(words -> assertThat(fault.errorCodes()).allSatisfy(code -> assertThat(words).contains("`%s`".formatted(code))));
        }
    }

    // Returns the rows of the section's table, without its head.
    private static List<List<String>> rows()
            throws IOException
    {
        String page = Files.readString(PAGE);
        assertThat(page).contains(BEGIN);
        String section = page.substring(page.indexOf(BEGIN) + BEGIN.length()).split("\n## ", 2)[0];
        return section.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|", -1)).map(String::strip).toList())
                .toList();
    }
}
