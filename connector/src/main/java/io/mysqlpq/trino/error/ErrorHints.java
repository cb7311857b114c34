package io.mysqlpq.trino.error;

import java.sql.SQLException;

import static java.util.Objects.requireNonNullElse;

/** Explains errors of MySQL that are nobody's mistake in the query, and says what can be done about them. */
public final class ErrorHints
{
    private static final int EXECUTION_TIME_EXCEEDED = 3024;

    private ErrorHints()
    {}

    /**
     * Returns MySQL's message, and what can be done.
     *
     * @param timeout the setting that limits how long MySQL may be silent
     */
    public static String explain(SQLException error, String timeout)
    {
        String advice = advice(error, timeout);
        return advice.isEmpty() ? requireNonNullElse(error.getMessage(), error.toString()) : "%s. %s".formatted(firstLine(error).replaceFirst("\\.$", ""), advice);
    }

    /** Returns MySQL's message without the driver's additions, such as stack traces and advice about the network. */
    public static String firstLine(SQLException error)
    {
        return requireNonNullElse(error.getMessage(), "").lines().findFirst().orElse("");
    }

    private static String advice(SQLException error, String timeout)
    {
        if (MysqlError.isSilence(error)) {
            return "MySQL did not answer within %s. Run the query again. Raise %1$s if a statement of MySQL can take that long".formatted(timeout);
        }
        if (MysqlError.isConnectionLost(error)) {
            return "The connection to MySQL was lost. Run the query again";
        }
        if (MysqlError.isDiskFull(error)) {
            return "Free space on the disk of MySQL's tmpdir, or set topn_pushdown_enabled and aggregation_pushdown_enabled to false, so that Trino sorts and aggregates";
        }
        if (MysqlError.isInterrupted(error)) {
            return "KILL or a limit in MySQL ended the statement. Run the query again";
        }
        return error.getErrorCode() == EXECUTION_TIME_EXCEEDED ? "Raise max_execution_time in MySQL" : "";
    }
}
