package io.mysqlpq.cross.bench;

import com.mysql.cj.jdbc.Driver;
import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads whole columns by Spark's JDBC source, in partitions of its own.
 *
 * @param jars the folder of Spark's
 */
record SparkSide(Path jars)
        implements Side
{
    static final String NAME = "Spark JDBC";

    // What Spark's own launcher opens and its columns in memory need.
    private static final List<String> OPENED = List.of("java.lang", "java.lang.invoke", "java.net", "java.nio", "java.util", "java.util.concurrent", "sun.nio.ch", "sun.security.action");

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public boolean runs(BenchQuery query)
    {
        return ConnectorxSide.QUERIES.contains(query.name());
    }

    @Override
    public SideSession open(RunningServers servers)
    {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-Xmx1g", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        OPENED.forEach(name -> command.add("--add-opens=java.base/%s=ALL-UNNAMED".formatted(name)));
        command.addAll(List.of("-cp", "%s/*%s%s".formatted(jars, File.pathSeparator, driver()), program().toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PQ_MYSQL_URL", "jdbc:mysql://127.0.0.1:%d/tpch?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(servers.mysqlPort()));
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        // Not an argument, which everybody could read.
        builder.environment().put("PQ_MYSQL_PASSWORD", servers.mysqlPassword());
        return new ReaderSession(ReaderProcess.start(NAME, builder), servers);
    }

    private static String driver()
    {
        return Path.of(Driver.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
    }

    // A source that Java compiles as it starts it: nothing else here needs Spark.
    private static Path program()
    {
        try {
            Path folder = Files.createTempDirectory("pq-spark");
            Path program = Files.writeString(folder.resolve("SparkReader.java"), TpchLoader.resource("/bench/SparkReader.java"));
            folder.toFile().deleteOnExit();
            program.toFile().deleteOnExit();
            return program;
        }
        catch (IOException e) {
            throw new UncheckedIOException("The program for Spark is not to be read", e);
        }
    }
}
