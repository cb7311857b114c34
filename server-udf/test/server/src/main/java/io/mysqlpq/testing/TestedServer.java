package io.mysqlpq.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the series and parts of the server that tests run on, for tests of what others lack. JUnit's {@code EnabledIf} names its methods.
 */
public final class TestedServer
{
    /** Why a test is left out. {@code scripts/results.py} knows such tests by these words. */
    public static final String NEEDS_9_7 = "needs MySQL 9.7";

    /** The same of a test that needs the plugin, which a build of MySQL may lack. */
    public static final String NEEDS_GROUP_REPLICATION = "needs MySQL with group replication";

    private static final Pattern SERIES = Pattern.compile(" Ver (\\d+)\\.(\\d+)\\.");

    private TestedServer()
    {}

    /** VECTOR, the hypergraph optimizer and materialized views came after 8.4. */
    public static boolean isSince97()
    {
        return Version.NUMBER >= 907;
    }

    public static boolean hasGroupReplication()
    {
        return Files.exists(TestingPaths.fromSystemProperties().mysqlHome().resolve("usr/lib/mysql/plugin/group_replication.so"));
    }

    // Asked once.
    private static final class Version
    {
        private static final int NUMBER = number(said());

        private static int number(String said)
        {
            Matcher series = SERIES.matcher(said);
            if (!series.find()) {
                throw new IllegalStateException("The server does not say its version: " + said);
            }
            return Integer.parseInt(series.group(1)) * 100 + Integer.parseInt(series.group(2));
        }

        private static String said()
        {
            try {
                Process process = new ProcessBuilder(new MysqlHome(TestingPaths.fromSystemProperties().mysqlHome()).mysqld(List.of("--version")))
                        .redirectErrorStream(true)
                        .start();
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
            catch (IOException e) {
                throw new UncheckedIOException("Cannot ask the server for its version", e);
            }
        }
    }
}
