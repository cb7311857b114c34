package io.mysqlpq.cross.dashboards;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * Runs Python with the packages that {@code ./pq} installed for Superset.
 *
 * @param folder what {@code ./pq} prepared: packages, Superset's metadata, its secrets
 * @param source the repository's folder of Superset's files
 */
record PythonPrograms(Path folder, Path source)
{
    static PythonPrograms fromSystemProperties()
    {
        Path folder = Path.of(requireNonNull(System.getProperty("pq.superset.folder"), "no -Dpq.superset.folder: ./pq test --set dashboards hands it over"));
        if (!Files.exists(folder.resolve("template/superset.db"))) {
            throw new AssertionError("No Superset in %s: ./pq test --set dashboards installs it".formatted(folder));
        }
        return new PythonPrograms(folder, Path.of(requireNonNull(System.getProperty("pq.superset.source"), "no -Dpq.superset.source")));
    }

    Process start(Map<String, String> environment, Path log, List<String> arguments)
            throws IOException
    {
        List<String> command = new ArrayList<>(List.of(folder.resolve("packages/bin/python").toString()));
        command.addAll(arguments);
        ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        program.environment().putAll(environment);
        program.environment().put("PATH", folder.resolve("packages/bin") + File.pathSeparator + System.getenv("PATH"));
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
