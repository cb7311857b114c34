package io.mysqlpq.trino;

import com.google.common.base.Ticker;
import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Provider;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.mysql.cj.jdbc.Driver;
import dev.failsafe.RetryPolicy;
import io.airlift.units.DataSize;
import io.mysqlpq.trino.aggregation.AggregationConfig;
import io.mysqlpq.trino.aggregation.AggregationPlanner;
import io.mysqlpq.trino.aggregation.AggregationSessionProperties;
import io.mysqlpq.trino.client.MysqlPqClient;
import io.mysqlpq.trino.client.MysqlPqQueryBuilder;
import io.mysqlpq.trino.connection.ConnectionClock;
import io.mysqlpq.trino.connection.ConnectionConfig;
import io.mysqlpq.trino.connection.ConnectionPermits;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.ConnectionShares;
import io.mysqlpq.trino.connection.DriverLogin;
import io.mysqlpq.trino.connection.EndedQueries;
import io.mysqlpq.trino.connection.NodeConnections;
import io.mysqlpq.trino.doctor.Doctor;
import io.mysqlpq.trino.driver.CompleteConnections;
import io.mysqlpq.trino.driver.DriverConfig;
import io.mysqlpq.trino.driver.DriverProperties;
import io.mysqlpq.trino.driver.ExplainedConnections;
import io.mysqlpq.trino.driver.LocalZoneConnections;
import io.mysqlpq.trino.driver.MetadataConnections;
import io.mysqlpq.trino.driver.MysqlPqJdbcConfig;
import io.mysqlpq.trino.driver.ReplyLimitedConnections;
import io.mysqlpq.trino.driver.ReusedConnections;
import io.mysqlpq.trino.driver.UrlProperties;
import io.mysqlpq.trino.driver.UtcConnections;
import io.mysqlpq.trino.metadata.ForgettingProcedures;
import io.mysqlpq.trino.metadata.MysqlPqMetadataFactory;
import io.mysqlpq.trino.metrics.PlanningTotals;
import io.mysqlpq.trino.metrics.ReadTotals;
import io.mysqlpq.trino.nativescan.PacketConfig;
import io.mysqlpq.trino.nativescan.PacketSessionProperties;
import io.mysqlpq.trino.operations.OperationsModule;
import io.mysqlpq.trino.planning.FallbackReporter;
import io.mysqlpq.trino.planning.PlanningConfig;
import io.mysqlpq.trino.planning.PlanningModule;
import io.mysqlpq.trino.planning.PlanningSessionProperties;
import io.mysqlpq.trino.planning.sql.SqlRanges;
import io.mysqlpq.trino.planning.sql.SqlRangesConfig;
import io.mysqlpq.trino.scan.DynamicFilterSql;
import io.mysqlpq.trino.scan.MysqlPqPageSourceProvider;
import io.mysqlpq.trino.server.ExtensionRanges;
import io.mysqlpq.trino.server.ExtensionSnapshots;
import io.mysqlpq.trino.server.PartitionReader;
import io.mysqlpq.trino.server.RememberedKeys;
import io.mysqlpq.trino.server.ServerConfig;
import io.mysqlpq.trino.server.TableKeyReader;
import io.mysqlpq.trino.snapshot.SnapshotConfig;
import io.mysqlpq.trino.snapshot.SnapshotModule;
import io.mysqlpq.trino.snapshot.SnapshotSessionProperties;
import io.mysqlpq.trino.split.MysqlPqSplitManager;
import io.mysqlpq.trino.split.SplitPlanner;
import io.mysqlpq.trino.statistics.SampleConfig;
import io.mysqlpq.trino.statistics.TableSampler;
import io.mysqlpq.trino.statistics.TableStatisticsReader;
import io.mysqlpq.trino.tables.GeneratedKeys;
import io.mysqlpq.trino.tables.TableDefinitions;
import io.mysqlpq.trino.tables.VerifiedTableCache;
import io.mysqlpq.trino.throttle.ServerAdmission;
import io.mysqlpq.trino.throttle.ThrottleConfig;
import io.mysqlpq.trino.throttle.ThrottleSessionProperties;
import io.mysqlpq.trino.types.TypeConfig;
import io.mysqlpq.trino.types.TypeSessionProperties;
import io.mysqlpq.trino.write.AbandonedTables;
import io.mysqlpq.trino.write.AbandonedTablesConfig;
import io.mysqlpq.trino.write.PrimaryKeyProperty;
import io.mysqlpq.trino.write.RowChangeSinks;
import io.opentelemetry.api.OpenTelemetry;
import io.trino.plugin.jdbc.BaseJdbcConfig;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.DecimalModule;
import io.trino.plugin.jdbc.DriverConnectionFactory;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.ForLazyConnectionFactory;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcDynamicFilteringSplitManager;
import io.trino.plugin.jdbc.JdbcJoinPushdownConfig;
import io.trino.plugin.jdbc.JdbcMetadataConfig;
import io.trino.plugin.jdbc.JdbcMetadataFactory;
import io.trino.plugin.jdbc.JdbcPageSourceProvider;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.JdbcStatisticsConfig;
import io.trino.plugin.jdbc.JdbcWriteConfig;
import io.trino.plugin.jdbc.LazyConnectionFactory;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.QueryConfig;
import io.trino.plugin.jdbc.RetryingConnectionFactory;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.plugin.jdbc.ptf.Query;
import io.trino.spi.Node;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.function.table.ConnectorTableFunction;

import java.sql.SQLException;
import java.util.Properties;

import static com.google.common.collect.Maps.fromProperties;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;
import static com.mysql.cj.conf.PropertyKey.autoReconnect;
import static com.mysql.cj.conf.PropertyKey.socketTimeout;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.plugin.jdbc.DecimalModule.MappingToNumber.ON_BY_DEFAULT;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;
import static io.trino.plugin.jdbc.JdbcModule.bindTablePropertiesProvider;
import static java.util.Objects.requireNonNull;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/** Binds the connector: the table of contents of the code. */
public class MysqlPqModule
        implements Module
{
    private static final DataSize LARGEST_JOINED_TABLE = DataSize.of(16, MEGABYTE);
    private static final int DOMAIN_COMPACTION_THRESHOLD = 1000;

    private final Ticker ticker;

    MysqlPqModule(Ticker ticker)
    {
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    @Override
    public void configure(Binder binder)
    {
        binder.bind(Ticker.class).toInstance(ticker);
        bindClient(binder);
        bindSettings(binder);
        bindSnapshots(binder);
        bindPlanning(binder);
        bindReading(binder);
        bindOperations(binder);
    }

    private static void bindClient(Binder binder)
    {
        binder.bind(Key.get(JdbcClient.class, ForBaseJdbc.class)).to(MysqlPqClient.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(ReusedConnections.class);
        binder.bind(AbandonedTables.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(AbandonedTables.class);
        binder.bind(TableDefinitions.class).in(Scopes.SINGLETON);
        binder.bind(VerifiedTableCache.class).in(Scopes.SINGLETON);
        binder.bind(ForgettingProcedures.class).in(Scopes.SINGLETON);
        binder.bind(TableSampler.class).in(Scopes.SINGLETON);
        binder.bind(TableStatisticsReader.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, QueryBuilder.class).setBinding().to(MysqlPqQueryBuilder.class).in(Scopes.SINGLETON);
        binder.bind(DynamicFilterSql.class).to(MysqlPqQueryBuilder.class).in(Scopes.SINGLETON);
        binder.install(DecimalModule.withNumberMapping(ON_BY_DEFAULT));
        newSetBinder(binder, ConnectorTableFunction.class).addBinding().toProvider(Query.class).in(Scopes.SINGLETON);
    }

    private static void bindSettings(Binder binder)
    {
        configBinder(binder).bindConfig(MysqlPqJdbcConfig.class);
        configBinder(binder).bindConfig(ConnectionConfig.class);
        configBinder(binder).bindConfig(ServerConfig.class);
        configBinder(binder).bindConfig(SnapshotConfig.class);
        configBinder(binder).bindConfig(PlanningConfig.class);
        configBinder(binder).bindConfig(SqlRangesConfig.class);
        configBinder(binder).bindConfig(AggregationConfig.class);
        configBinder(binder).bindConfig(PacketConfig.class);
        configBinder(binder).bindConfig(TypeConfig.class);
        configBinder(binder).bindConfig(ThrottleConfig.class);
        configBinder(binder).bindConfig(AbandonedTablesConfig.class);
        configBinder(binder).bindConfig(DriverConfig.class);
        configBinder(binder).bindConfig(JdbcStatisticsConfig.class);
        configBinder(binder).bindConfig(SampleConfig.class);
        bindSessionPropertiesProvider(binder, PlanningSessionProperties.class);
        bindSessionPropertiesProvider(binder, SnapshotSessionProperties.class);
        bindSessionPropertiesProvider(binder, AggregationSessionProperties.class);
        bindSessionPropertiesProvider(binder, PacketSessionProperties.class);
        bindSessionPropertiesProvider(binder, TypeSessionProperties.class);
        bindSessionPropertiesProvider(binder, ThrottleSessionProperties.class);
        // Larger tables are read faster by ranges, on all workers, than MySQL joins them.
        configBinder(binder).bindConfigDefaults(JdbcJoinPushdownConfig.class, config -> config.setJoinPushdownAutomaticMaxTableSize(LARGEST_JOINED_TABLE));
        bindTablePropertiesProvider(binder, PrimaryKeyProperty.class);
        // Without bulk lists information_schema costs some statements for each table. MySQL looks a number up among a thousand in less time
        // than it takes to send a row that a join then drops.
        configBinder(binder).bindConfigDefaults(JdbcMetadataConfig.class, config -> config
                .setBulkListColumns(true)
                .setDomainCompactionThreshold(DOMAIN_COMPACTION_THRESHOLD));
        // The driver sends a batch as one statement, so a large one costs little.
        configBinder(binder).bindConfigDefaults(JdbcWriteConfig.class, config -> config.setWriteBatchSize(10_000));
    }

    private static void bindSnapshots(Binder binder)
    {
        binder.bind(ExtensionSnapshots.class).in(Scopes.SINGLETON);
        binder.bind(AggregationPlanner.class).in(Scopes.SINGLETON);
        binder.install(new SnapshotModule());
        binder.bind(MysqlPqConnector.class).in(Scopes.SINGLETON);
    }

    private static void bindPlanning(Binder binder)
    {
        binder.bind(RememberedKeys.class).in(Scopes.SINGLETON);
        binder.bind(TableKeyReader.class).in(Scopes.SINGLETON);
        binder.bind(PartitionReader.class).in(Scopes.SINGLETON);
        binder.bind(ExtensionRanges.class).in(Scopes.SINGLETON);
        binder.bind(FallbackReporter.class).in(Scopes.SINGLETON);
        Provider<CatalogName> catalog = binder.getProvider(CatalogName.class);
        newExporter(binder).export(FallbackReporter.class)
                .as(generator -> generator.generatedNameOf(FallbackReporter.class, catalog.get().toString()));
        binder.bind(PlanningTotals.class).in(Scopes.SINGLETON);
        newExporter(binder).export(PlanningTotals.class)
                .as(generator -> generator.generatedNameOf(PlanningTotals.class, catalog.get().toString()));
        binder.bind(SqlRanges.class).in(Scopes.SINGLETON);
        binder.install(new PlanningModule());
        binder.bind(JdbcDynamicFilteringSplitManager.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, JdbcMetadataFactory.class).setBinding().to(MysqlPqMetadataFactory.class).in(Scopes.SINGLETON);
        binder.bind(SplitPlanner.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, ConnectorSplitManager.class).setBinding().to(MysqlPqSplitManager.class).in(Scopes.SINGLETON);
    }

    private static void bindReading(Binder binder)
    {
        binder.bind(ConnectionPools.class).in(Scopes.SINGLETON);
        binder.bind(EndedQueries.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(EndedQueries.class);
        binder.bind(ConnectionShares.class).in(Scopes.SINGLETON);
        binder.bind(ConnectionPermits.class).in(Scopes.SINGLETON);
        binder.bind(ConnectionClock.class).in(Scopes.SINGLETON);
        binder.bind(NodeConnections.class).in(Scopes.SINGLETON);
        binder.bind(ServerAdmission.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(ServerAdmission.class);
        Provider<CatalogName> catalog = binder.getProvider(CatalogName.class);
        newExporter(binder).export(ConnectionPools.class)
                .as(generator -> generator.generatedNameOf(ConnectionPools.class, catalog.get().toString()));
        newExporter(binder).export(ConnectionPermits.class)
                .as(generator -> generator.generatedNameOf(ConnectionPermits.class, catalog.get().toString()));
        newExporter(binder).export(NodeConnections.class)
                .as(generator -> generator.generatedNameOf(NodeConnections.class, catalog.get().toString()));
        newExporter(binder).export(ServerAdmission.class)
                .as(generator -> generator.generatedNameOf(ServerAdmission.class, catalog.get().toString()));
        binder.bind(ReadTotals.class).in(Scopes.SINGLETON);
        newExporter(binder).export(ReadTotals.class)
                .as(generator -> generator.generatedNameOf(ReadTotals.class, catalog.get().toString()));
        newOptionalBinder(binder, ConnectorPageSinkProvider.class).setBinding().to(RowChangeSinks.class).in(Scopes.SINGLETON);
        binder.bind(JdbcPageSourceProvider.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, ConnectorPageSourceProvider.class).setBinding().to(MysqlPqPageSourceProvider.class).in(Scopes.SINGLETON);
    }

    private static void bindOperations(Binder binder)
    {
        binder.install(new OperationsModule());
    }

    @Provides
    @Singleton
    static Doctor doctor(ConnectionConfig config)
    {
        return new Doctor(config.getMaxConnectionsPerServer());
    }

    @Provides
    @Singleton
    @ForBaseJdbc
    static ConnectionFactory connectionFactory(BaseJdbcConfig config, DriverConfig driverConfig, ConnectionConfig limits, CredentialProvider credentialProvider, OpenTelemetry openTelemetry, ConnectionPools pools)
            throws SQLException
    {
        UrlProperties url = UrlProperties.of(config.getConnectionUrl());
        return new LocalZoneConnections(
                driverConnections(config, DriverProperties.local(driverConfig, url), limits, credentialProvider, openTelemetry, pools),
                driverConnections(config, DriverProperties.utc(driverConfig, url), limits, credentialProvider, openTelemetry, pools));
    }

    // In place of base-jdbc's, which remain unused.
    @Provides
    @Singleton
    static ReusedConnections reusedConnections(@ForLazyConnectionFactory ConnectionFactory connections, ConnectionPools pools, QueryConfig config, Node node)
    {
        return new ReusedConnections(new LazyConnectionFactory(connections), pools, config.isReuseConnection() && node.isCoordinator());
    }

    @Provides
    @Singleton
    static GeneratedKeys generatedKeys(ReusedConnections connections, RemoteQueryModifier queryModifier)
    {
        return new GeneratedKeys(connections, queryModifier);
    }

    @Provides
    @Singleton
    static UtcConnections utcConnections(
            BaseJdbcConfig config,
            DriverConfig driverConfig,
            ConnectionConfig limits,
            CredentialProvider credentialProvider,
            OpenTelemetry openTelemetry,
            ConnectionPools pools,
            RetryPolicy<Object> retryPolicy)
            throws SQLException
    {
        return new UtcConnections(new RetryingConnectionFactory(driverConnections(config, DriverProperties.utc(driverConfig, UrlProperties.of(config.getConnectionUrl())), limits, credentialProvider, openTelemetry, pools), retryPolicy));
    }

    private static ConnectionFactory driverConnections(BaseJdbcConfig config, Properties properties, ConnectionConfig limits, CredentialProvider credentialProvider, OpenTelemetry openTelemetry, ConnectionPools pools)
            throws SQLException
    {
        Properties once = new Properties();
        once.putAll(properties);
        once.setProperty(autoReconnect.getKeyName(), "false");
        ConnectionFactory connections = new CompleteConnections(new ExplainedConnections(new MetadataConnections(
                driverConnections(config, properties, credentialProvider, openTelemetry),
                driverConnections(config, once, credentialProvider, openTelemetry),
                pools)), limits.getTableLockTimeout());
        // Who limits it by the URL knows the driver's setting.
        return UrlProperties.of(config.getConnectionUrl()).sets(socketTimeout) ? connections : new ReplyLimitedConnections(connections, limits.getReplyTimeout());
    }

    private static ConnectionFactory driverConnections(BaseJdbcConfig config, Properties properties, CredentialProvider credentialProvider, OpenTelemetry openTelemetry)
            throws SQLException
    {
        return DriverConnectionFactory.builder(new Driver(), config.getConnectionUrl(), credentialProvider)
                .setConnectionProperties(properties)
                .setOpenTelemetry(openTelemetry)
                .build();
    }

    @Provides
    @Singleton
    static DriverLogin driverLogin(BaseJdbcConfig config, DriverConfig driverConfig)
    {
        return new DriverLogin(config.getConnectionUrl(), fromProperties(DriverProperties.read(driverConfig, UrlProperties.of(config.getConnectionUrl()))));
    }
}
