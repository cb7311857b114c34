package io.mysqlpq.trino.planning;

import io.airlift.log.Logger;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;
import org.weakref.jmx.Managed;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import static io.mysqlpq.trino.server.FallbackCause.ACCESS_DENIED;
import static io.mysqlpq.trino.server.FallbackCause.DISABLED;
import static io.mysqlpq.trino.server.FallbackCause.LOCK_WAIT_TIMEOUT;
import static io.mysqlpq.trino.server.FallbackCause.NOT_INSTALLED;
import static io.mysqlpq.trino.server.FallbackCause.NO_INDEX;
import static io.mysqlpq.trino.server.FallbackCause.REPLY_TOO_LARGE;
import static io.mysqlpq.trino.server.FallbackCause.SCAN_REFUSED;
import static io.mysqlpq.trino.server.FallbackCause.SNAPSHOT_REFUSED;
import static io.mysqlpq.trino.server.FallbackCause.TABLE_UNUSABLE;
import static io.mysqlpq.trino.server.FallbackCause.UNKNOWN_ENCODING;
import static io.mysqlpq.trino.server.FallbackCause.UNKNOWN_PROTOCOL;
import static io.mysqlpq.trino.server.FallbackCause.UNSUPPORTED_KEY;

/** Counts scans that could have had ranges from the extension and got none, and warns once for each cause. */
public final class FallbackReporter
{
    private static final Logger log = Logger.get(FallbackReporter.class);

    private final Map<FallbackCause, AtomicLong> counts = new EnumMap<>(FallbackCause.class);

    public FallbackReporter()
    {
        for (FallbackCause cause : FallbackCause.values()) {
            counts.put(cause, new AtomicLong());
        }
    }

    /** @param instead how the table is read */
    void report(ConnectorSession session, RemoteTableName table, ExtensionUnavailableException exception, String instead)
    {
        FallbackCause cause = exception.fallbackCause();
        if (counts.get(cause).getAndIncrement() == 0) {
            log.warn(
                    "Query %s reads table %s %s (%s): %s. %s. Further cases are logged at level DEBUG",
                    session.getQueryId(), table, instead, cause, exception.getMessage(), cause.hint());
        }
        else {
            log.debug("Query %s reads table %s %s (%s)", session.getQueryId(), table, instead, cause);
        }
    }

    private long count(FallbackCause cause)
    {
        return counts.get(cause).get();
    }

    @Managed(description = "Scans read without the extension's ranges, for any cause")
    public long getTotalCount()
    {
        return counts.values().stream().mapToLong(AtomicLong::get).sum();
    }

    @Managed(description = "Scans read without the extension's ranges because it is missing")
    public long getNotInstalledCount()
    {
        return count(NOT_INSTALLED);
    }

    @Managed(description = "Scans read without the extension's ranges because it is disabled")
    public long getDisabledCount()
    {
        return count(DISABLED);
    }

    @Managed(description = "Scans read without the extension's ranges because it speaks another protocol")
    public long getUnknownProtocolCount()
    {
        return count(UNKNOWN_PROTOCOL);
    }

    @Managed(description = "Scans read without the extension's ranges because it encodes keys in a way unknown to this connector")
    public long getUnknownEncodingCount()
    {
        return count(UNKNOWN_ENCODING);
    }

    @Managed(description = "Scans read without the extension's ranges because it cannot cut by a column of the key")
    public long getUnsupportedKeyCount()
    {
        return count(UNSUPPORTED_KEY);
    }

    @Managed(description = "Scans read without the extension's ranges because the account lacks a privilege")
    public long getAccessDeniedCount()
    {
        return count(ACCESS_DENIED);
    }

    @Managed(description = "Scans read without the extension's ranges because it cannot open the table")
    public long getTableUnusableCount()
    {
        return count(TABLE_UNUSABLE);
    }

    @Managed(description = "Scans read without the extension's ranges because its reply exceeds max_allowed_packet")
    public long getReplyTooLargeCount()
    {
        return count(REPLY_TOO_LARGE);
    }

    @Managed(description = "Scans read without the extension's ranges because the table is locked")
    public long getLockWaitTimeoutCount()
    {
        return count(LOCK_WAIT_TIMEOUT);
    }

    @Managed(description = "Scans read without the extension's ranges because it gives no snapshot")
    public long getSnapshotRefusedCount()
    {
        return count(SNAPSHOT_REFUSED);
    }

    @Managed(description = "Scans read without the extension's ranges because it cannot read all columns or filters of a table without a key")
    public long getScanRefusedCount()
    {
        return count(SCAN_REFUSED);
    }

    @Managed(description = "Scans read without the extension's ranges because the table is a view or of another engine, or its index is gone")
    public long getNoIndexCount()
    {
        return count(NO_INDEX);
    }
}
