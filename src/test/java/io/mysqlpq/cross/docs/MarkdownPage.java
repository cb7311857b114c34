package io.mysqlpq.cross.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkState;

/**
 * Finds the code blocks of a page of Markdown.
 *
 * <p>Only fences of three backticks are known, which may be indented as a list is. What other code blocks Markdown has (tildes, four spaces) is refused, so
 * that no block is overlooked.
 */
final class MarkdownPage
{
    private static final Pattern FENCE = Pattern.compile("( *)```([^`]*)");
    private static final Pattern LIST_ITEM = Pattern.compile(" *([-*+]|\\d+\\.) .*");

    private final String name;
    private final List<CodeBlock> blocks = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private String openIndent;
    private String openInfo;
    private int openLine;
    private boolean afterBlank = true;
    private boolean inList;

    private MarkdownPage(String name)
    {
        this.name = name;
    }

    static List<CodeBlock> blocks(String name, String page)
    {
        MarkdownPage reading = new MarkdownPage(name);
        int number = 0;
        for (String line : page.lines().toList()) {
            reading.accept(line, ++number);
        }
        checkState(reading.openInfo == null, "%s:%s: the code block does not end", name, reading.openLine);
        return List.copyOf(reading.blocks);
    }

    private void accept(String line, int number)
    {
        Matcher fence = FENCE.matcher(line);
        if (openInfo != null) {
            continueBlock(line, fence);
        }
        else if (fence.matches()) {
            openIndent = fence.group(1);
            openInfo = fence.group(2).strip();
            openLine = number;
        }
        else {
            checkProse(line, number);
        }
    }

    private void continueBlock(String line, Matcher fence)
    {
        if (!fence.matches()) {
            text.append(line.startsWith(openIndent) ? line.substring(openIndent.length()) : line.strip()).append('\n');
            return;
        }
        checkState(fence.group(2).isBlank(), "%s:%s: the code block does not end before the next one", name, openLine);
        blocks.add(new CodeBlock(name, openLine, openInfo, text.toString()));
        openInfo = null;
        text.setLength(0);
    }

    private void checkProse(String line, int number)
    {
        checkState(!line.strip().startsWith("~~~") && !line.contains("```"), "%s:%s: write a fence of three backticks on a line of its own", name, number);
        if (!line.isBlank() && !line.startsWith(" ")) {
            inList = LIST_ITEM.matcher(line).matches() || (inList && !afterBlank);
        }
        checkState(!(afterBlank && !inList && line.startsWith("    ") && !line.isBlank()), "%s:%s: code without a fence", name, number);
        afterBlank = line.isBlank();
    }
}
