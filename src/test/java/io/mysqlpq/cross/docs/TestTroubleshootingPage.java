package io.mysqlpq.cross.docs;

import io.mysqlpq.trino.error.MysqlPqErrorCode;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that docs/troubleshooting.md has an entry for each error of the sources, by which it is found. */
class TestTroubleshootingPage
{
    private static final Path CONNECTOR = Repository.ROOT.resolve("connector/src/main/java");
    private static final Path EXTENSION = Repository.ROOT.resolve("server-udf/src");
    private static final String LITERAL = "\"((?:[^\"\\\\]|\\\\.)*)\"";
    private static final Pattern CONNECTOR_ERROR = Pattern.compile("(?:new (?:TrinoException|Obstacle)\\(\\s*\\w+,|\\bunavailable\\()\\s*" + LITERAL);
    // The rules of bad_argument are the protocol's, and the message holds them.
    private static final Pattern EXTENSION_ERROR = Pattern.compile("(?s)\\bfail\\(\\s*Code::(?!bad_argument|reported)\\w+,(.*?)\\);");
    private static final Pattern EXTENSION_DETAIL = Pattern.compile("(?s)\\b(?:unusable|unsupported_column|refuse|refuse_to_load|my_plugin_log_message)\\(([^;{]*?)\\);");
    private static final Pattern EXTENSION_CODE = Pattern.compile("return \"(\\w+)\";");
    private static final Pattern SERVER_ERROR = Pattern.compile("my_error\\((ER_\\w+)");
    private static final String PAGE = Repository.read(Repository.ROOT.resolve("docs/troubleshooting.md"));

    @Test
    void testEachErrorCodeOfTheConnector()
    {
        assertThat(MysqlPqErrorCode.values()).allSatisfy(code -> assertThat(PAGE).contains("\n### `%s`\n".formatted(code)));
    }

    @Test
    void testEachMessageOfTheConnector()
    {
        List<String> messages = texts(CONNECTOR, ".java", CONNECTOR_ERROR).stream().map(TestTroubleshootingPage::firstSentence).toList();
        assertThat(messages).hasSizeGreaterThan(50).contains("Failed to read table …: …");
        assertThat(messages).allSatisfy(message -> assertThat(PAGE).contains("`" + message));
    }

    @Test
    void testEachCodeOfTheExtension()
    {
        List<String> codes = texts(EXTENSION, "error.h", EXTENSION_CODE);
        assertThat(codes).contains("bad_argument", "too_large");
        assertThat(codes).filteredOn(code -> !code.equals("unknown")).allSatisfy(code -> assertThat(PAGE).contains("`%s`".formatted(code)));
    }

    @Test
    void testEachMessageOfTheExtension()
    {
        List<String> messages = new ArrayList<>(texts(EXTENSION, ".cc", EXTENSION_ERROR));
        messages.addAll(texts(EXTENSION, ".cc", EXTENSION_DETAIL));
        List<String> longest = messages.stream().map(TestTroubleshootingPage::longestLiteral).filter(literal -> literal.length() > 3).toList();
        assertThat(longest).hasSizeGreaterThan(50).contains("mysql_pq_enabled is OFF", "has a discarded tablespace");
        assertThat(longest).allSatisfy(literal -> assertThat(PAGE).contains(literal));
    }

    @Test
    void testEachOfMysqlsErrorsThatTheExtensionGives()
    {
        List<String> errors = texts(EXTENSION, ".cc", SERVER_ERROR);
        assertThat(errors).contains("ER_TABLE_DEF_CHANGED");
        assertThat(errors).allSatisfy(error -> assertThat(PAGE).contains("`%s`".formatted(error)));
    }

    @Test
    void testNoRowOfAnErrorThatIsGone()
    {
        assertThat(Pattern.compile("(?m)^### `(MYSQL_PQ_\\w+)`$").matcher(PAGE).results().map(heading -> heading.group(1)).toList())
                .containsExactlyInAnyOrder(Arrays.stream(MysqlPqErrorCode.values()).map(Enum::name).toArray(String[]::new));
    }

    // What the pattern's group holds, in all sources.
    private static List<String> texts(Path folder, String end, Pattern pattern)
    {
        return Repository.filesThatEndWith(end).stream()
                .filter(file -> file.startsWith(folder))
                .flatMap(file -> pattern.matcher(Repository.read(file)).results().map(found -> found.group(1)))
                .collect(toImmutableList());
    }

    // As the page writes it: without values, and without the way out, which may be a value too.
    private static String firstSentence(String message)
    {
        return message.split("\\. (?=[A-Z]|%s)", 2)[0].replaceAll("%[sd]", "…").replaceAll("…[.…]*…", "…").strip();
    }

    private static String longestLiteral(String code)
    {
        return Pattern.compile(LITERAL).matcher(code).results()
                .flatMap(literal -> Pattern.compile("%\\w+").splitAsStream(literal.group(1)))
                .map(text -> text.replaceAll("^[\\s'(=]+|[\\s'(=]+$", ""))
                .max(Comparator.comparingInt(String::length))
                .orElse("");
    }
}
