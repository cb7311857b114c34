package io.mysqlpq.cross.docs;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that links between the pages lead to files and headings that are there. */
class TestLinks
{
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");

    @ParameterizedTest
    @MethodSource("pages")
    void testLinksOfPage(Path page)
    {
        List<String> links = LINK.matcher(prose(page)).results().map(link -> link.group(1)).filter(link -> !link.contains("://")).toList();
        assertThat(links).allSatisfy(link -> {
            String[] parts = link.split("#", 2);
            Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
            assertThat(Files.exists(target)).as("file of %s", link).isTrue();
            if (parts.length > 1) {
                assertThat(anchors(target)).as("headings of %s", link).contains(parts[1]);
            }
        });
    }

    private static Set<String> anchors(Path page)
    {
        return HEADING.matcher(prose(page)).results().map(heading -> anchor(heading.group(1))).collect(toImmutableSet());
    }

    // As the host of the repository makes them of headings: letters in lower case, digits, underscores, hyphens for blanks.
    private static String anchor(String heading)
    {
        String text = heading.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").strip().toLowerCase(ENGLISH);
        return text.replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-');
    }

    private static String prose(Path page)
    {
        return FENCED.matcher(Repository.read(page)).replaceAll("");
    }

    static Stream<Path> pages()
    {
        return Repository.pages().stream();
    }
}
