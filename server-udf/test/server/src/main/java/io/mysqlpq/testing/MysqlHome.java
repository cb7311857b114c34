package io.mysqlpq.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds command lines for an unpacked server, run through its own loader and libraries if it came with these.
 */
record MysqlHome(Path root, List<Path> preloaded, List<String> tool)
{
    private static final String LIBRARIES = "usr/lib/x86_64-linux-gnu";

    MysqlHome(Path root)
    {
        this(root, List.of(), List.of());
    }

    MysqlHome
    {
        preloaded = List.copyOf(preloaded);
        tool = List.copyOf(tool);
        if (!Files.isRegularFile(root.resolve("usr/sbin/mysqld"))) {
            throw new IllegalStateException("No MySQL server in " + root + ". Set -Dpq.mysql.home to an extracted server");
        }
    }

    boolean isUnderTool()
    {
        return !tool.isEmpty();
    }

    Path program()
    {
        return root.resolve("usr/sbin/mysqld");
    }

    List<String> mysqld(List<String> options)
    {
        return mysqld(program(), options);
    }

    // The program may be a link, beside which the server then looks for a manifest of components.
    List<String> mysqld(Path program, List<String> options)
    {
        List<String> command = new ArrayList<>(tool);
        command.addAll(loader());
        command.addAll(List.of(
                program.toString(),
                "--no-defaults",
                "--basedir=" + baseFolder(),
                "--lc-messages-dir=" + root.resolve("usr/share/mysql"),
                "--character-sets-dir=" + root.resolve("usr/share/mysql/charsets"),
                "--secure-file-priv=NULL",
                "--loose-mysqlx=OFF"));
        // mysqld refuses to run as root unless told to.
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(options);
        return command;
    }

    // Libraries that a build names by $ORIGIN lie beside those of its system.
    private List<String> loader()
    {
        List<String> loader = new ArrayList<>();
        Path libraries = root.resolve(LIBRARIES);
        String libraryPath = "%1$s:%1$s/mysql/private:%1$s/../mysql/private".formatted(libraries);
        if (Files.isDirectory(libraries)) {
            loader.addAll(List.of(libraries.resolve("ld-linux-x86-64.so.2").toString(), "--library-path", libraryPath));
            preloaded.forEach(library -> loader.addAll(List.of("--preload", library.toString())));
        }
        else {
            preloaded.forEach(library -> loader.addAll(List.of("env", "LD_PRELOAD=" + library)));
        }
        return loader;
    }

    // A folder made of links names the server's own one, where it finds what is not named by options.
    private Path baseFolder()
    {
        Path base = root.resolve("basedir");
        return Files.isDirectory(base) ? base : root.resolve("usr");
    }

    // Names this build of the server, so that data folders of two builds are never mixed.
    String buildKey()
    {
        Path binary = program();
        try {
            return "%x-%x".formatted(Files.size(binary), Files.getLastModifiedTime(binary).toMillis());
        }
        catch (IOException e) {
            throw new IllegalStateException("Cannot read " + binary, e);
        }
    }
}
