package io.mysqlpq.trino.planning;

import io.airlift.log.Logger;
import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;
import org.weakref.jmx.Managed;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import static io.mysqlpq.trino.server.FallbackCause.ACCESS_DENIED;
import static io.mysqlpq.trino.server.FallbackCause.DISABLED;
import static io.mysqlpq.trino.server.FallbackCause.NOT_INSTALLED;
import static io.mysqlpq.trino.server.FallbackCause.UNKNOWN_PROTOCOL;
import static java.util.stream.Collectors.joining;

/** Counts scans that could have had the extension's ranges and got none, and warns once for each cause. */
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
                    "Query %s reads table %s %s, and so may others for this cause (%s): %s. Way out: %s",
                    session.getQueryId(), table, instead, cause, exception.getMessage(), cause.wayOut());
        }
        else {
            log.debug("Query %s reads table %s %s (%s)", session.getQueryId(), table, instead, cause);
        }
    }

    public long count(FallbackCause cause)
    {
        return counts.get(cause).get();
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

    @Managed(description = "Scans read without the extension's ranges because the account lacks a privilege")
    public long getAccessDeniedCount()
    {
        return count(ACCESS_DENIED);
    }

    @Managed(description = "Scans read without the extension's ranges for any cause")
    public long getTotalCount()
    {
        return counts.values().stream().mapToLong(AtomicLong::get).sum();
    }

    @Managed(description = "Scans read without the extension's ranges for each cause")
    public String getCounts()
    {
        return Arrays.stream(FallbackCause.values())
                .map(cause -> "%s=%d".formatted(cause, count(cause)))
                .collect(joining(", "));
    }
}
