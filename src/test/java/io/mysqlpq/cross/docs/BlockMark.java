package io.mysqlpq.cross.docs;

import java.util.Arrays;
import java.util.Optional;

/** What is done with a code block, as the words behind its fence say. docs/DEVELOPMENT.md describes them. */
enum BlockMark
{
    /** Run in Trino, statement by statement. */
    TRINO("sql", "trino"),
    /** The same while MySQL has no extension. */
    TRINO_WITHOUT_EXTENSION("sql", "trino without-extension"),
    /** Run in MySQL by root, statement by statement, where the extension is installed. */
    MYSQL("sql", "mysql"),
    /** The same in a server that has just started, without the extension. */
    NEW_MYSQL("sql", "mysql new"),
    /** Read as a catalog's properties, or a part of them. */
    CATALOG("properties", "catalog"),
    /** MySQL starts with these settings. */
    MYSQLD("ini", "mysqld"),
    /** Each line is a command of ./pq that its help knows, with its options. */
    PQ(null, "pq"),
    /** Well-formed JSON. */
    JSON("json", "valid"),
    /** Run by the test class, or function of scripts/test, that it names. */
    RUN_BY(null, "run-by="),
    /** Not run: pictures, outputs, what needs another machine. */
    OUTSIDE(null, "outside");

    private final String language;
    private final String words;

    BlockMark(String language, String words)
    {
        this.language = language;
        this.words = words;
    }

    static Optional<BlockMark> of(CodeBlock block)
    {
        return Arrays.stream(values()).filter(mark -> mark.isOn(block)).findFirst();
    }

    private boolean isOn(CodeBlock block)
    {
        boolean fits = this == RUN_BY ? block.mark().matches("run-by=\\w+") : block.mark().equals(words);
        return fits && (language == null || block.language().equals(language));
    }
}
