package io.mysqlpq.trino.error;

import com.google.common.collect.ImmutableSet;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.Set;

import static com.google.common.base.Throwables.getCausalChain;
import static java.util.Objects.requireNonNullElse;

/** Says what can be done about an error of MySQL's that is nobody's mistake in the query. */
public final class WayOut
{
    private static final String CONNECTION_LOST = "08";
    private static final int SERVER_SHUTDOWN = 1053;
    private static final int INTERRUPTED = 1317;
    private static final int SESSION_KILLED = 3169;
    private static final int ENDED_BY_WAIT_TIMEOUT = 4031;
    private static final int EXECUTION_TIME_EXCEEDED = 3024;
    // From the server's own file functions, and of statements.
    private static final Set<Integer> DISK_FULL = ImmutableSet.of(3, 20, 1021, 1026, 3186);

    private WayOut()
    {}

    /**
     * MySQL's message, and what can be done.
     *
     * @param timeout the setting that limits how long MySQL may be silent
     */
    public static String explain(SQLException error, String timeout)
    {
        String advice = advice(error, timeout);
        return advice.isEmpty() ? error.getMessage() : "%s. %s".formatted(firstLine(error).replaceFirst("\\.$", ""), advice);
    }

    // The driver puts stack traces behind it, and what to think of the network.
    private static String firstLine(SQLException error)
    {
        return requireNonNullElse(error.getMessage(), "").lines().findFirst().orElse("");
    }

    private static String advice(SQLException error, String timeout)
    {
        if (getCausalChain(error).stream().anyMatch(SocketTimeoutException.class::isInstance)) {
            return "MySQL was silent for as long as %s allows: raise it if a statement may take so long, else run the query again".formatted(timeout);
        }
        if (isConnectionLost(error)) {
            return "The connection to MySQL was lost: run the query again";
        }
        if (DISK_FULL.contains(error.getErrorCode())) {
            return "Make room on the disk of MySQL's tmpdir, or let Trino sort and compute: set topn_pushdown_enabled and aggregation_pushdown_enabled to false";
        }
        return switch (error.getErrorCode()) {
            case INTERRUPTED -> "Somebody, or a limit of MySQL's, ended the statement: run the query again";
            case EXECUTION_TIME_EXCEEDED -> "Raise max_execution_time in MySQL";
            default -> "";
        };
    }

    private static boolean isConnectionLost(SQLException error)
    {
        return switch (error.getErrorCode()) {
            case SERVER_SHUTDOWN, SESSION_KILLED, ENDED_BY_WAIT_TIMEOUT -> true;
            // Of the midst of a row the driver tells by the cause only.
            default -> (error.getSQLState() != null && error.getSQLState().startsWith(CONNECTION_LOST)) || getCausalChain(error).stream().anyMatch(IOException.class::isInstance);
        };
    }
}
