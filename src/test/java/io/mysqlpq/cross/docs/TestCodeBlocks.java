package io.mysqlpq.cross.docs;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that each code block of the docs says by what it is run, or that it is not; and what needs no server. */
class TestCodeBlocks
{
    private static final Pattern WORDS_END = Pattern.compile("[\\s\\[\\]]+");

    @ParameterizedTest
    @MethodSource("pages")
    void testEveryBlockIsMarked(Path page)
    {
        assertThat(Repository.blocks(page)).allSatisfy(block -> assertThat(BlockMark.of(block)).as("%s has a mark of docs/DEVELOPMENT.md, Code in the docs", block).isPresent());
    }

    @Test
    void testPagesAreFound()
    {
        assertThat(Repository.pages()).extracting(page -> Repository.ROOT.relativize(page).toString())
                .contains("README.md", "docs/configuration.md", "docs/decisions/sql-ranges.md", "server-udf/README.md", "docker/README.md");
    }

    @Test
    void testNamedTestsExist()
    {
        Set<String> tests = names();
        assertThat(tests).contains("TestCodeBlocks", "test_help_names_every_command");
        assertThat(blocks(BlockMark.RUN_BY)).allSatisfy(block -> assertThat(tests).as("%s", block).contains(block.mark().substring("run-by=".length())));
    }

    @Test
    void testJsonIsValid()
    {
        ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        assertThat(blocks(BlockMark.JSON)).allSatisfy(block -> assertThat(mapper.readTree(block.text()).isContainerNode()).as("%s", block).isTrue());
    }

    @Test
    void testCommandsAreKnown()
            throws IOException
    {
        String help = help();
        List<String> commands = blocks(BlockMark.PQ).stream().flatMap(block -> block.text().lines()).map(String::strip).filter(line -> !line.startsWith("#")).toList();
        assertThat(commands).isNotEmpty().allSatisfy(command -> {
            assertThat(command).startsWith("./pq ");
            assertThat(help).containsPattern("(?m)^  ([a-z]+ \\| )*%s\\b".formatted(command.split(" +", 3)[1]));
            assertThat(options(command)).as(command).allSatisfy(option -> assertThat(help).contains(option));
        });
    }

    private static List<String> options(String line)
    {
        return WORDS_END.splitAsStream(line.split("  |#", 2)[0]).filter(word -> word.startsWith("-")).toList();
    }

    private static String help()
            throws IOException
    {
        Process process = new ProcessBuilder(Repository.ROOT.resolve("pq").toString(), "help").redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    private static List<CodeBlock> blocks(BlockMark mark)
    {
        return pages().flatMap(page -> Repository.blocks(page).stream()).filter(block -> BlockMark.of(block).equals(Optional.of(mark))).toList();
    }

    private static Set<String> names()
    {
        Stream<String> classes = Repository.filesThatEndWith(".java").stream().map(file -> file.getFileName().toString().replace(".java", "")).filter(name -> name.startsWith("Test"));
        Stream<String> functions = Repository.filesThatEndWith(".sh").stream()
                .filter(file -> file.startsWith(Repository.ROOT.resolve("scripts/test")))
                .flatMap(file -> Repository.read(file).lines())
                .filter(line -> line.matches("test_\\w+\\(\\).*"))
                .map(line -> line.substring(0, line.indexOf('(')));
        return Stream.concat(classes, functions).collect(toImmutableSet());
    }

    static Stream<Path> pages()
    {
        return Repository.pages().stream();
    }
}
