package io.mysqlpq.trino.error;

import com.google.common.collect.ImmutableSet;
import com.mysql.cj.exceptions.CJException;
import com.mysql.cj.exceptions.SSLParamsException;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Throwables.getCausalChain;
import static java.util.Objects.requireNonNullElse;

/** Tells the meaning of an error from MySQL's numbers and the driver's causes. */
public final class MysqlError
{
    private static final String STATE_OF_CONNECTION_LOST = "08";
    private static final String STATE_OF_INVALID_AUTHORIZATION = "28000";

    private static final int DATABASE_ACCESS_DENIED = 1044;
    private static final int SERVER_SHUTDOWN = 1053;
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int COLUMN_ACCESS_DENIED = 1143;
    private static final int SPECIFIC_ACCESS_DENIED = 1227;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    private static final int INTERRUPTED = 1317;
    private static final int PASSWORD_EXPIRED = 1862;
    private static final int ACCOUNT_LOCKED = 3118;
    private static final int SESSION_KILLED = 3169;
    private static final int ACCOUNT_LOCKED_BY_FAILED_LOGINS = 3955;
    private static final int ENDED_BY_WAIT_TIMEOUT = 4031;
    // ER_TOO_MANY_FIELDS and ER_TOO_BIG_ROWSIZE.
    private static final Set<Integer> ROW_TOO_LARGE = ImmutableSet.of(1117, 1118);
    // ER_CON_COUNT_ERROR, ER_TOO_MANY_USER_CONNECTIONS and ER_USER_LIMIT_REACHED.
    private static final Set<Integer> FULL = ImmutableSet.of(1040, 1203, 1226);
    // ER_DISK_FULL, ER_ERROR_ON_WRITE, ER_TEMP_FILE_WRITE_FAILURE and ER_DISK_FULL_NOWAIT; and two of the server's own file functions.
    private static final Set<Integer> DISK_FULL = ImmutableSet.of(1021, 1026, 1878, 3675, 3, 20);

    private MysqlError()
    {}

    /** Whether the connection is gone, whoever ended it. */
    public static boolean isConnectionLost(SQLException error)
    {
        return switch (error.getErrorCode()) {
            case SERVER_SHUTDOWN, SESSION_KILLED, ENDED_BY_WAIT_TIMEOUT -> true;
            // If the connection ends within a row, only the cause tells it.
            default -> (error.getSQLState() != null && error.getSQLState().startsWith(STATE_OF_CONNECTION_LOST)) || getCausalChain(error).stream().anyMatch(IOException.class::isInstance);
        };
    }

    /** Whether a row stayed locked by another transaction, or MySQL ended one of two that waited for each other. */
    public static boolean isLockConflict(SQLException error)
    {
        return error.getErrorCode() == LOCK_WAIT_TIMEOUT || error.getErrorCode() == DEADLOCK;
    }

    /** Whether MySQL did not answer in time. The connection is then lost too. */
    public static boolean isSilence(SQLException error)
    {
        return getCausalChain(error).stream().anyMatch(SocketTimeoutException.class::isInstance);
    }

    /** Whether the account may not log in at all, and waiting is of no use. */
    public static boolean isLoginRefused(SQLException error)
    {
        return switch (error.getErrorCode()) {
            case PASSWORD_EXPIRED, ACCOUNT_LOCKED, ACCOUNT_LOCKED_BY_FAILED_LOGINS -> true;
            default -> STATE_OF_INVALID_AUTHORIZATION.equals(error.getSQLState());
        };
    }

    /**
     * Explains why TLS refuses the server's certificate, or cannot check it, and what to do. Waiting is of no use then. Empty if the error is
     * another one.
     */
    public static Optional<String> tlsRefusal(SQLException error)
    {
        List<Throwable> causes = getCausalChain(error);
        if (causes.stream().anyMatch(cause -> cause instanceof CertificateException || cause instanceof CertPathValidatorException)) {
            return Optional.of("TLS refuses MySQL's certificate: %s. Check sslMode and the trust store in connection-url".formatted(firstLine(causes.getLast())));
        }
        return causes.stream()
                .filter(SSLParamsException.class::isInstance)
                .findFirst()
                .map(cause -> "TLS cannot be set up: %s. Check the trust store, its type and its password in connection-url".formatted(firstLine(cause)));
    }

    /** Returns what the driver says, in one line. Where it says only that there is no connection, the first cause follows. */
    public static String reason(SQLException error)
    {
        String message = firstLine(error);
        String cause = firstLine(getCausalChain(error).getLast());
        return !isConnectionLost(error) || cause.isEmpty() || message.contains(cause) ? message : "%s: %s".formatted(message, cause);
    }

    private static String firstLine(Throwable error)
    {
        String line = requireNonNullElse(error.getMessage(), "").lines().findFirst().orElse("").strip();
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    /** Whether the server, or the account, has as many sessions as it may have, or the account has used up another limit. */
    public static boolean isServerFull(SQLException error)
    {
        // The driver wraps it when it has tried some times, as its own kind of exception if it connects again by itself.
        return getCausalChain(error).stream().anyMatch(cause -> switch (cause) {
            case SQLException refusal -> FULL.contains(refusal.getErrorCode());
            case CJException refusal -> FULL.contains(refusal.getVendorCode());
            default -> false;
        });
    }

    /** Whether the account, though it is logged in, lacks a privilege. */
    public static boolean isPrivilegeMissing(SQLException error)
    {
        return switch (error.getErrorCode()) {
            case DATABASE_ACCESS_DENIED, TABLE_ACCESS_DENIED, COLUMN_ACCESS_DENIED, SPECIFIC_ACCESS_DENIED -> true;
            default -> false;
        };
    }

    /** Whether somebody, or a limit of MySQL's, ended the statement. */
    public static boolean isInterrupted(SQLException error)
    {
        return error.getErrorCode() == INTERRUPTED;
    }

    public static boolean isDiskFull(SQLException error)
    {
        return DISK_FULL.contains(error.getErrorCode());
    }

    /** Whether a table would have more columns, or longer rows, than MySQL takes. */
    public static boolean isRowTooLarge(SQLException error)
    {
        return ROW_TOO_LARGE.contains(error.getErrorCode());
    }
}
