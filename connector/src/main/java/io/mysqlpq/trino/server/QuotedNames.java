package io.mysqlpq.trino.server;

import io.trino.plugin.jdbc.RemoteTableName;

/** Writes names of MySQL into SQL. */
public final class QuotedNames
{
    private QuotedNames()
    {}

    public static String quoted(String name)
    {
        return "`" + name.replace("`", "``") + "`";
    }

    public static String quoted(RemoteTableName table)
    {
        return quoted(table.getCatalogName().orElseThrow()) + "." + quoted(table.getTableName());
    }
}
