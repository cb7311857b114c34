package io.mysqlpq.trino.throttle;

import com.google.common.collect.ImmutableSet;
import io.trino.spi.TrinoException;

import java.sql.SQLException;
import java.util.Set;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_STATE_DENIED;

/** Explains that an account lacks the privilege to see a server's state. */
final class DeniedReading
{
    private static final int DATABASE_ACCESS_DENIED = 1044;
    private static final int LOGIN_DENIED = 1045;
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int COLUMN_ACCESS_DENIED = 1143;
    private static final int SPECIFIC_ACCESS_DENIED = 1227;
    private static final Set<Integer> CODES = ImmutableSet.of(DATABASE_ACCESS_DENIED, LOGIN_DENIED, TABLE_ACCESS_DENIED, COLUMN_ACCESS_DENIED, SPECIFIC_ACCESS_DENIED);

    private DeniedReading()
    {}

    static boolean is(SQLException e)
    {
        return CODES.contains(e.getErrorCode());
    }

    /** @param setting that wants to know */
    static TrinoException ofLag(String setting, SQLException cause)
    {
        return new TrinoException(
                MYSQL_PQ_SERVER_STATE_DENIED,
                "The MySQL account may not see how far the replica lags, which %s asks for: %s. Way out: GRANT SELECT ON performance_schema.* TO the account, or on its tables %s; or set %s to 0ms"
                        .formatted(setting, cause.getMessage(), ReplicaLag.TABLES, setting),
                cause);
    }
}
