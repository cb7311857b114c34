package io.mysqlpq.cross.dashboards;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Python with the packages that {@code ./pq} installed in a folder. */
record PythonPrograms(Path packages)
{
    /** @return the folder that a system property names */
    static Path folder(String property)
    {
        String folder = System.getProperty(property);
        if (folder == null || !Files.isDirectory(Path.of(folder))) {
            throw new AssertionError("No folder -D%s=%s: ./pq test --set dashboards makes it and hands it over".formatted(property, folder));
        }
        return Path.of(folder).toAbsolutePath();
    }

    Process start(Map<String, String> environment, Path log, List<String> arguments)
            throws IOException
    {
        List<String> command = new ArrayList<>(List.of(packages.resolve("bin/python").toString()));
        command.addAll(arguments);
        ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        program.environment().putAll(environment);
        program.environment().put("PATH", packages.resolve("bin") + File.pathSeparator + System.getenv("PATH"));
        return program.start();
    }

    /** @return what the program printed; it must end well */
    String run(Map<String, String> environment, Path log, List<String> arguments)
            throws IOException, InterruptedException
    {
        int exit = start(environment, log, arguments).waitFor();
        String printed = Files.readString(log);
        if (exit != 0) {
            throw new AssertionError("python %s ended with %s:\n%s".formatted(arguments, exit, printed));
        }
        return printed;
    }
}
