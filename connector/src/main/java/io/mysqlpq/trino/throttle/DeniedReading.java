package io.mysqlpq.trino.throttle;

import io.trino.spi.TrinoException;

import java.sql.SQLException;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_STATE_DENIED;

/** Explains that an account lacks the privilege to see a server's state. */
final class DeniedReading
{
    private DeniedReading()
    {}

    /** @param setting that wants to know */
    static TrinoException ofLag(String setting, SQLException cause)
    {
        return new TrinoException(
                MYSQL_PQ_SERVER_STATE_DENIED,
                "The MySQL account may not read the replica's lag, which %s needs: %s. GRANT SELECT ON performance_schema.* TO the account, or only on its tables %s. Without the privilege, set %s to 0ms"
                        .formatted(setting, cause.getMessage(), ReplicaLag.TABLES, setting),
                cause);
    }
}
