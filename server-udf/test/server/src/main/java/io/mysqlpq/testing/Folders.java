package io.mysqlpq.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

/**
 * Copies and deletes whole folders.
 */
final class Folders
{
    private Folders()
    {}

    static void copy(Path source, Path target)
    {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, target.resolve(source.relativize(file)), COPY_ATTRIBUTES);
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot copy " + source + " to " + target, e);
        }
    }

    static void delete(Path folder)
    {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> childrenFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : childrenFirst) {
                Files.deleteIfExists(file);
            }
        }
        catch (NoSuchFileException e) {
            // Nothing to delete.
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + folder, e);
        }
    }
}
