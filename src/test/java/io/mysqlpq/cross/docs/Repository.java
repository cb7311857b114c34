package io.mysqlpq.cross.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Finds the repository's own files: not what is downloaded, built or hidden. */
final class Repository
{
    static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..", "..").toAbsolutePath().normalize();
    private static final Set<String> BUILT = Set.of("target", "node_modules", "venv");

    private Repository()
    {}

    /** All pages of Markdown, wherever they are. */
    static List<Path> pages()
    {
        return filesThatEndWith(".md");
    }

    static List<Path> filesThatEndWith(String end)
    {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<Path>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                {
                    String name = folder.getFileName().toString();
                    return !folder.equals(ROOT) && (name.startsWith(".") || BUILT.contains(name)) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                {
                    if (file.toString().endsWith(end)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.stream().sorted().collect(toImmutableList());
    }

    static List<CodeBlock> blocks(Path page)
    {
        return MarkdownPage.blocks(ROOT.relativize(page).toString(), read(page));
    }

    static String read(Path file)
    {
        try {
            return Files.readString(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
