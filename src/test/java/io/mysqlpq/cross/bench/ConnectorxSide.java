package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads whole columns into a client's memory by ConnectorX, in partitions of its own.
 *
 * @param python of an environment that has ConnectorX
 */
record ConnectorxSide(Path python)
        implements Side
{
    static final String NAME = "ConnectorX";
    static final Set<String> QUERIES = Set.of("all 16 columns", "2 bigint columns");

    @Override
    public String name()
    {
        return NAME;
    }

    // It computes nothing: other queries would be MySQL's alone.
    @Override
    public boolean runs(BenchQuery query)
    {
        return QUERIES.contains(query.name());
    }

    @Override
    public SideSession open(RunningServers servers)
    {
        ProcessBuilder command = new ProcessBuilder(python.toString(), "-c", program());
        // Not an argument, which everybody could read.
        command.environment().put("PQ_MYSQL_URL", "mysql://root:%s@127.0.0.1:%d/tpch".formatted(URLEncoder.encode(servers.mysqlPassword(), UTF_8), servers.mysqlPort()));
        return new ReaderSession(ReaderProcess.start(NAME, command), servers);
    }

    private static String program()
    {
        try {
            return TpchLoader.resource("/bench/connectorx.py");
        }
        catch (IOException e) {
            throw new UncheckedIOException("The program for ConnectorX is not to be read", e);
        }
    }
}
