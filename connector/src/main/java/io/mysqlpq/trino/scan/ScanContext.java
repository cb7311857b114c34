package io.mysqlpq.trino.scan;

import io.airlift.units.Duration;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;

import static java.util.Objects.requireNonNull;

/**
 * Holds what the readers of a query's splits need beside the split: the client that writes SQL, the query's session, and its settings.
 *
 * @param packetDecoding whether packets are read past the driver
 * @param nativeScans whether the extension may read rows itself
 * @param compression whether the batches of the extension come compressed
 * @param waitTimeout longest wait for MySQL to let one more session read in a snapshot
 */
record ScanContext(JdbcClient client, QueryBuilder queryBuilder, DynamicFilterSql dynamicFilters, RemoteQueryModifier queryModifier, ConnectorSession session, boolean packetDecoding, boolean nativeScans, LinkCompression compression, Duration waitTimeout)
{
    ScanContext
    {
        requireNonNull(client, "client is null");
        requireNonNull(queryBuilder, "queryBuilder is null");
        requireNonNull(dynamicFilters, "dynamicFilters is null");
        requireNonNull(queryModifier, "queryModifier is null");
        requireNonNull(session, "session is null");
        requireNonNull(compression, "compression is null");
        requireNonNull(waitTimeout, "waitTimeout is null");
    }

    String withComment(String sql)
    {
        return queryModifier.apply(session, sql);
    }
}
