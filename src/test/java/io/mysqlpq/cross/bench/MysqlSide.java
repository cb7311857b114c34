package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Runs the queries in MySQL itself, without Trino.
 */
record MysqlSide()
        implements Side
{
    static final String NAME = "MySQL alone";

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public SideSession open(RunningServers servers)
            throws SQLException
    {
        Connection connection = servers.mysql();
        connection.setCatalog("tpch");
        return new MysqlSession(connection);
    }
}
