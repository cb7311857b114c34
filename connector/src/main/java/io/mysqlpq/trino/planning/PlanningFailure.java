package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.error.ErrorHints;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.SQLException;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_PLANNING_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_LOCKED;

/** Tells users why MySQL did not answer while a scan was planned. */
final class PlanningFailure
{
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private PlanningFailure()
    {}

    static TrinoException of(RemoteTableName table, SQLException cause)
    {
        if (cause.getErrorCode() == LOCK_WAIT_TIMEOUT) {
            return new TrinoException(
                    MYSQL_PQ_TABLE_LOCKED,
                    "Table %s is locked, or a statement such as ALTER TABLE waits to lock it: %s. Run the query again when that statement has ended, or raise table-lock-timeout".formatted(table, cause.getMessage()),
                    cause);
        }
        return new TrinoException(MYSQL_PQ_PLANNING_FAILED, "Failed to plan ranges of table %s: %s".formatted(table, ErrorHints.explain(cause, "planning-timeout")), cause);
    }
}
