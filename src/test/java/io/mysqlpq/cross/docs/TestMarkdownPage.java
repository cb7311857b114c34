package io.mysqlpq.cross.docs;

import org.junit.jupiter.api.Test;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMarkdownPage
{
    private static final String FENCE = "```";

    @Test
    void testBlocks()
    {
        assertThat(MarkdownPage.blocks("p.md", """
                Text with `code`.

                %1$ssql trino
                SELECT 1;

                    SELECT 2
                %1$s
                - item

                  %1$stext outside
                  in a list
                  %1$s
                %1$s
                %1$s
                """.formatted(FENCE))).containsExactly(
                new CodeBlock("p.md", 3, "sql trino", "SELECT 1;\n\n    SELECT 2\n"),
                new CodeBlock("p.md", 10, "text outside", "in a list\n"),
                new CodeBlock("p.md", 13, "", ""));
    }

    @Test
    void testMarks()
    {
        assertThat(markOf("sql trino")).contains(BlockMark.TRINO);
        assertThat(markOf("sql mysql new")).contains(BlockMark.NEW_MYSQL);
        assertThat(markOf("java run-by=TestX")).contains(BlockMark.RUN_BY);
        assertThat(markOf("mermaid outside")).contains(BlockMark.OUTSIDE);
        assertThat(markOf("sql")).isEmpty();
        assertThat(markOf("")).isEmpty();
        assertThat(markOf("outside")).isEmpty();
        assertThat(markOf("shell trino")).isEmpty();
        assertThat(markOf("sql outside trino")).isEmpty();
        assertThat(markOf("sql run-by=")).isEmpty();
    }

    @Test
    void testWhatWouldBeOverlooked()
    {
        assertThatThrownBy(() -> MarkdownPage.blocks("p.md", FENCE + "sql\nSELECT 1")).hasMessageContaining("p.md:1: the code block does not end");
        assertThatThrownBy(() -> MarkdownPage.blocks("p.md", FENCE + "sql\nSELECT 1\n" + FENCE + "sql\n" + FENCE)).hasMessageContaining("p.md:1: ");
        assertThatThrownBy(() -> MarkdownPage.blocks("p.md", "Text:\n\n    SELECT 1\n")).hasMessageContaining("p.md:3: code without a fence");
        assertThatThrownBy(() -> MarkdownPage.blocks("p.md", "~~~sql\nSELECT 1\n~~~\n")).hasMessageContaining("p.md:1: ");
        assertThatThrownBy(() -> MarkdownPage.blocks("p.md", "> " + FENCE + "sql\n")).hasMessageContaining("p.md:1: ");
        assertThat(MarkdownPage.blocks("p.md", "- item\n\n    more of it\n\n  and on\n")).isEmpty();
    }

    private static Optional<BlockMark> markOf(String info)
    {
        return BlockMark.of(new CodeBlock("p.md", 1, info, ""));
    }
}
