package io.mysqlpq.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Reads a server's error log and tells whether it holds anything that a healthy server does not write.
 */
record ErrorLog(Path file)
{
    private static final Pattern TROUBLE = Pattern.compile("\\[ERROR]|got signal|Assertion failure|Segmentation|Sanitizer|stack smashing|terminate called");

    String text()
    {
        try {
            return Files.exists(file) ? Files.readString(file, ISO_8859_1) : "";
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // An allowed pattern is a regular expression found somewhere in the line.
    List<String> troubles(String... allowed)
    {
        List<Pattern> harmless = List.of(allowed).stream().map(Pattern::compile).toList();
        return text().lines()
                .filter(line -> TROUBLE.matcher(line).find())
                .filter(line -> harmless.stream().noneMatch(pattern -> pattern.matcher(line).find()))
                .toList();
    }
}
