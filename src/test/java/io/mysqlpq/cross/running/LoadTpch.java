package io.mysqlpq.cross.running;

import java.io.IOException;
import java.sql.SQLException;

/** Loads TPC-H into the running MySQL, unless it is there already: the scale is the argument. */
public final class LoadTpch
{
    private LoadTpch()
    {}

    public static void main(String[] arguments)
            throws SQLException, IOException
    {
        new TpchLoader(RunningServers.fromEnvironment(), arguments[0]).load();
    }
}
