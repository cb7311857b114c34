package io.mysqlpq.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds command lines for a server extracted from its packages, run through its own loader and libraries.
 */
record MysqlHome(Path root, List<String> loaderOptions, List<String> tool)
{
    private static final String LIBRARIES = "usr/lib/x86_64-linux-gnu";

    MysqlHome(Path root)
    {
        this(root, List.of(), List.of());
    }

    MysqlHome
    {
        loaderOptions = List.copyOf(loaderOptions);
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
        command.addAll(List.of(
                root.resolve(LIBRARIES).resolve("ld-linux-x86-64.so.2").toString(),
                "--library-path",
                root.resolve(LIBRARIES).toString()));
        command.addAll(loaderOptions);
        command.addAll(List.of(
                program.toString(),
                "--no-defaults",
                "--basedir=" + root.resolve("usr"),
                "--lc-messages-dir=" + root.resolve("usr/share/mysql"),
                "--secure-file-priv=NULL",
                "--loose-mysqlx=OFF"));
        // mysqld refuses to run as root unless told to.
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(options);
        return command;
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
