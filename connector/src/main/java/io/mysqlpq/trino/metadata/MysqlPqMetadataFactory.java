package io.mysqlpq.trino.metadata;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.mysqlpq.trino.aggregation.AggregationPlanner;
import io.mysqlpq.trino.planning.ScanPlanner;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.mysqlpq.trino.tables.GeneratedKeys;
import io.trino.plugin.base.cache.identity.IdentityCacheMapping;
import io.trino.plugin.jdbc.CachingJdbcClient;
import io.trino.plugin.jdbc.DefaultJdbcMetadataFactory;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcMetadata;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.JdbcStatisticsConfig;
import io.trino.plugin.jdbc.JdbcTransactionHandle;
import io.trino.plugin.jdbc.TimestampTimeZoneDomain;

import java.util.Set;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.DAYS;

/** Creates the metadata of each transaction. */
public class MysqlPqMetadataFactory
        extends DefaultJdbcMetadataFactory
{
    private static final Duration LONGEST_QUERY = new Duration(1, DAYS);

    private final JdbcClient client;
    private final IdentityCacheMapping identityCacheMapping;
    private final JdbcClient uncachedClient;
    private final TimestampTimeZoneDomain timestampTimeZoneDomain;
    private final Set<JdbcQueryEventListener> listeners;
    private final GeneratedKeys generatedKeys;
    private final ScanPlanner planner;
    private final AggregationPlanner aggregations;
    private final TransactionSnapshots snapshots;
    private final boolean statisticsEnabled;

    @Inject
    public MysqlPqMetadataFactory(
            JdbcClient client,
            @ForBaseJdbc JdbcClient uncachedClient,
            TimestampTimeZoneDomain timestampTimeZoneDomain,
            Set<JdbcQueryEventListener> listeners,
            IdentityCacheMapping identityCacheMapping,
            GeneratedKeys generatedKeys,
            ScanPlanner planner,
            AggregationPlanner aggregations,
            TransactionSnapshots snapshots,
            JdbcStatisticsConfig statisticsConfig)
    {
        super(client, timestampTimeZoneDomain, listeners, identityCacheMapping);
        this.client = requireNonNull(client, "client is null");
        this.identityCacheMapping = requireNonNull(identityCacheMapping, "identityCacheMapping is null");
        this.uncachedClient = requireNonNull(uncachedClient, "uncachedClient is null");
        this.timestampTimeZoneDomain = requireNonNull(timestampTimeZoneDomain, "timestampTimeZoneDomain is null");
        this.listeners = ImmutableSet.copyOf(listeners);
        this.generatedKeys = requireNonNull(generatedKeys, "generatedKeys is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.aggregations = requireNonNull(aggregations, "aggregations is null");
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.statisticsEnabled = statisticsConfig.isEnabled();
    }

    @Override
    public JdbcMetadata create(JdbcTransactionHandle transaction)
    {
        CachingJdbcClient cachingClient = new CachingJdbcClient(Ticker.systemTicker(), client, ImmutableSet.of(), identityCacheMapping, LONGEST_QUERY, LONGEST_QUERY, LONGEST_QUERY, LONGEST_QUERY, true, Integer.MAX_VALUE);
        MysqlPqMetadata metadata = create(cachingClient, cachingClient::flushCache);
        metadata.begin(transaction);
        return metadata;
    }

    private MysqlPqMetadata create(JdbcClient cachingClient, Runnable forgetMetadata)
    {
        return new MysqlPqMetadata(cachingClient, forgetMetadata, uncachedClient, timestampTimeZoneDomain, listeners, generatedKeys, planner, aggregations, snapshots, statisticsEnabled);
    }
}
