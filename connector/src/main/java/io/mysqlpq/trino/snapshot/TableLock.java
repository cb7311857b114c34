package io.mysqlpq.trino.snapshot;

import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.SQLException;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_LOCKED;
import static java.util.Objects.requireNonNull;

/** Tells what became of a table when the donor locked it. */
sealed interface TableLock
{
    /** The table stays as it is until the donor ends, and the snapshot covers its rows. */
    record Locked()
            implements TableLock
    {}

    /**
     * No table of InnoDB, and not locked.
     *
     * @param engine VIEW for a view, which may read tables of any engine
     */
    record WithoutSnapshot(String engine)
            implements TableLock
    {
        public WithoutSnapshot
        {
            requireNonNull(engine, "engine is null");
        }
    }

    /** MySQL did not lock the table. */
    record Failed(RemoteTableName table, SQLException cause)
            implements TableLock
    {
        private static final int LOCK_WAIT_TIMEOUT = 1205;
        private static final int NO_SUCH_TABLE = 1146;

        public Failed
        {
            requireNonNull(table, "table is null");
            requireNonNull(cause, "cause is null");
        }

        boolean isTimeout()
        {
            return cause.getErrorCode() == LOCK_WAIT_TIMEOUT;
        }

        TrinoException toException()
        {
            return switch (cause.getErrorCode()) {
                case LOCK_WAIT_TIMEOUT -> locked(table, cause);
                case NO_SUCH_TABLE -> new TrinoException(MYSQL_PQ_TABLE_CHANGED, "Table %s was dropped after the query was planned. Run the query again".formatted(table), cause);
                default -> new TrinoException(MYSQL_PQ_SNAPSHOT_UNAVAILABLE, "MySQL could not lock table %s for the query's snapshot: %s".formatted(table, cause.getMessage()), cause);
            };
        }
    }

    static TrinoException locked(RemoteTableName table, SQLException cause)
    {
        return new TrinoException(
                MYSQL_PQ_TABLE_LOCKED,
                "Table %s is locked by another statement, such as ALTER TABLE or LOCK TABLES: %s. Run the query again when that statement has ended, or raise table-lock-timeout".formatted(table, cause.getMessage()),
                cause);
    }
}
