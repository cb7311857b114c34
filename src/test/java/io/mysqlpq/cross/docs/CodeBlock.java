package io.mysqlpq.cross.docs;

/**
 * One fenced code block of a page.
 *
 * @param page the page's path in the repository
 * @param line the line of its opening fence, from 1
 * @param info what stands behind the fence: the language, then the mark
 */
record CodeBlock(String page, int line, String info, String text)
{
    String language()
    {
        return info.split(" ", 2)[0];
    }

    /** The words behind the language; none is an empty text. */
    String mark()
    {
        return info.contains(" ") ? info.split(" ", 2)[1].strip() : "";
    }

    String place()
    {
        return "%s:%d".formatted(page, line);
    }

    @Override
    public String toString()
    {
        return "%s (%s)".formatted(place(), info);
    }
}
