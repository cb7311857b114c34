package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps one session of each side, and opens more.
 */
record BenchSides(RunningServers servers, Map<Side, SideSession> sessions)
        implements AutoCloseable
{
    static BenchSides open(RunningServers servers, List<Side> sides)
            throws SQLException
    {
        BenchSides opened = new BenchSides(servers, new LinkedHashMap<>());
        try {
            for (Side side : sides) {
                opened.sessions.put(side, side.open(servers));
            }
        }
        catch (SQLException | RuntimeException e) {
            try (opened) {
                throw e;
            }
        }
        return opened;
    }

    List<Side> sides()
    {
        return List.copyOf(sessions.keySet());
    }

    SideSession session(Side side)
    {
        return sessions.get(side);
    }

    SideSession another(Side side)
            throws SQLException
    {
        return side.open(servers);
    }

    Connection mysql()
            throws SQLException
    {
        return servers.mysql();
    }

    @Override
    public void close()
            throws SQLException
    {
        for (SideSession session : sessions.values()) {
            session.close();
        }
    }
}
