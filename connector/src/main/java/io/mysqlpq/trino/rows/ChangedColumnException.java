package io.mysqlpq.trino.rows;

import java.sql.SQLException;

/** Says that a column is not what the query was planned on. */
public final class ChangedColumnException
        extends SQLException
{
    public ChangedColumnException(String message)
    {
        super(message);
    }
}
