package io.mysqlpq.trino;

import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.aggregation.AggregationPlanner;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.ScanPlanner;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.trino.plugin.base.cache.identity.IdentityCacheMapping;
import io.trino.plugin.jdbc.DefaultJdbcMetadataFactory;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcMetadata;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.JdbcStatisticsConfig;
import io.trino.plugin.jdbc.JdbcTransactionHandle;
import io.trino.plugin.jdbc.TimestampTimeZoneDomain;
import io.trino.spi.connector.ConnectorSession;

import java.util.Set;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Creates the metadata of each transaction. */
public class MysqlPqMetadataFactory
        extends DefaultJdbcMetadataFactory
{
    private final JdbcClient uncachedClient;
    private final TimestampTimeZoneDomain timestampTimeZoneDomain;
    private final Set<JdbcQueryEventListener> listeners;
    private final GeneratedKeys generatedKeys;
    private final ScanPlanner planner;
    private final AggregationPlanner aggregations;
    private final Function<ConnectorSession, PlanningOptions> planningOptions;
    private final Function<ConnectorSession, AggregationOptions> aggregationOptions;
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
            Function<ConnectorSession, PlanningOptions> planningOptions,
            Function<ConnectorSession, AggregationOptions> aggregationOptions,
            TransactionSnapshots snapshots,
            JdbcStatisticsConfig statisticsConfig)
    {
        super(client, timestampTimeZoneDomain, listeners, identityCacheMapping);
        this.uncachedClient = requireNonNull(uncachedClient, "uncachedClient is null");
        this.timestampTimeZoneDomain = requireNonNull(timestampTimeZoneDomain, "timestampTimeZoneDomain is null");
        this.listeners = ImmutableSet.copyOf(listeners);
        this.generatedKeys = requireNonNull(generatedKeys, "generatedKeys is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.aggregations = requireNonNull(aggregations, "aggregations is null");
        this.planningOptions = requireNonNull(planningOptions, "planningOptions is null");
        this.aggregationOptions = requireNonNull(aggregationOptions, "aggregationOptions is null");
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.statisticsEnabled = statisticsConfig.isEnabled();
    }

    @Override
    public JdbcMetadata create(JdbcTransactionHandle transaction)
    {
        MysqlPqMetadata metadata = (MysqlPqMetadata) super.create(transaction);
        metadata.begin(transaction);
        return metadata;
    }

    @Override
    protected JdbcMetadata create(JdbcClient transactionCachingClient)
    {
        return new MysqlPqMetadata(transactionCachingClient, uncachedClient, timestampTimeZoneDomain, listeners, generatedKeys, planner, aggregations, planningOptions, aggregationOptions, snapshots, statisticsEnabled);
    }
}
