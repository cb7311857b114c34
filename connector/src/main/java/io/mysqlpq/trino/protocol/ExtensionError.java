package io.mysqlpq.trino.protocol;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tells apart the errors by which the extension, or a server without it, declines to give ranges. */
public enum ExtensionError
{
    NOT_INSTALLED(1305, ""),
    /** How MySQL reports an unknown function in a session without a default database. */
    NOT_INSTALLED_WITHOUT_DATABASE(1046, ""),
    DISABLED(ExtensionError.UDF_ERROR, "disabled"),
    UNSUPPORTED_KEY(ExtensionError.UDF_ERROR, "unsupported_key"),
    UNUSABLE_TABLE(ExtensionError.UDF_ERROR, "unusable_table"),
    TOO_LARGE(ExtensionError.UDF_ERROR, "too_large"),
    BAD_SNAPSHOT(ExtensionError.UDF_ERROR, "bad_snapshot"),
    NO_SUCH_SNAPSHOT(ExtensionError.UDF_ERROR, "no_such_snapshot"),
    SNAPSHOT_EXPIRED(ExtensionError.UDF_ERROR, "snapshot_expired"),
    HISTORY_TOO_LONG(ExtensionError.UDF_ERROR, "history_too_long"),
    GAVE_WAY(ExtensionError.UDF_ERROR, "gave_way"),
    TOO_MANY_SNAPSHOTS(ExtensionError.UDF_ERROR, "too_many_snapshots"),
    TOO_MANY_SCANS(ExtensionError.UDF_ERROR, "too_many_scans"),
    ACCESS_DENIED(1142, ""),
    COLUMN_ACCESS_DENIED(1143, ""),
    FUNCTION_ACCESS_DENIED(1370, ""),
    NO_SUCH_TABLE(1146, ""),
    NO_SUCH_SCHEMA(1049, ""),
    VIEW(1347, ""),
    NOT_INNODB(1178, ""),
    NO_SUCH_INDEX(1176, ""),
    LOCK_WAIT_TIMEOUT(1205, "");

    private static final int UDF_ERROR = 3200;
    private static final String PREFIX = "mysql_pq: ";
    /** The code of a scan that is refused now and may be accepted later. */
    public static final String MEMORY_LIMIT = "memory_limit";
    /** A column is not what the scan takes it for. */
    public static final String OTHER_TYPE = "other_type";
    /** The extension does not know something in the request, such as an option. */
    public static final String BAD_ARGUMENT = "bad_argument";

    private static final List<String> SCAN_REFUSALS = List.of(BAD_ARGUMENT, "unsupported_key", "unsupported_scan", OTHER_TYPE, MEMORY_LIMIT, "too_large");

    private final int code;
    private final String messageStart;

    ExtensionError(int code, String name)
    {
        this.code = code;
        this.messageStart = name.isEmpty() ? "" : PREFIX + name + ":";
    }

    /** Returns the error. Empty if it says anything else than "no ranges here", such as a lost connection, KILL, or a bad argument. */
    public static Optional<ExtensionError> of(SQLException exception)
    {
        String message = Optional.ofNullable(exception.getMessage()).orElse("");
        return Arrays.stream(values())
                .filter(error -> error.code == exception.getErrorCode() && message.contains(error.messageStart))
                .findFirst();
    }

    /** Returns what the error means. Of an unknown function MySQL says what it would have needed to look further. */
    public String explain(SQLException exception)
    {
        return switch (this) {
            case NOT_INSTALLED, NOT_INSTALLED_WITHOUT_DATABASE -> "the extension is not loaded in MySQL";
            default -> exception.getMessage();
        };
    }

    /** Returns the protocol's code for why the extension, or a server without it, does not read rows itself. Empty if the error does not say that. */
    public static Optional<String> scanRefusal(SQLException exception)
    {
        if (exception.getErrorCode() == NOT_INSTALLED.code || exception.getErrorCode() == NOT_INSTALLED_WITHOUT_DATABASE.code) {
            return Optional.of(NOT_INSTALLED.toString());
        }
        String message = Optional.ofNullable(exception.getMessage()).orElse("");
        return SCAN_REFUSALS.stream().filter(refusal -> exception.getErrorCode() == UDF_ERROR && message.contains(PREFIX + refusal + ":")).findFirst();
    }

    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ENGLISH);
    }
}
