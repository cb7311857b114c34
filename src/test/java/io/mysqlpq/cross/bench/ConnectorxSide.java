package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;

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
            throws SQLException
    {
        return new ConnectorxSession(ConnectorxProcess.start(python, servers), servers);
    }
}
