package io.mysqlpq.trino;

import com.google.common.base.Ticker;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.aggregation.AggregationModule;
import io.mysqlpq.trino.client.ClientModule;
import io.mysqlpq.trino.connection.ConnectionModule;
import io.mysqlpq.trino.connection.ReadServer;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.driver.DriverModule;
import io.mysqlpq.trino.metadata.MetadataModule;
import io.mysqlpq.trino.metrics.MeasuredServer;
import io.mysqlpq.trino.metrics.MetricsModule;
import io.mysqlpq.trino.nativescan.NativeScanModule;
import io.mysqlpq.trino.operations.OperationsModule;
import io.mysqlpq.trino.planning.PlanningModule;
import io.mysqlpq.trino.routing.RoutingModule;
import io.mysqlpq.trino.scan.ScanModule;
import io.mysqlpq.trino.server.ServerModule;
import io.mysqlpq.trino.sharing.SharedReads;
import io.mysqlpq.trino.sharing.SharingModule;
import io.mysqlpq.trino.snapshot.SnapshotModule;
import io.mysqlpq.trino.split.SplitModule;
import io.mysqlpq.trino.statistics.StatisticsModule;
import io.mysqlpq.trino.tables.TablesModule;
import io.mysqlpq.trino.throttle.ThrottleModule;
import io.mysqlpq.trino.types.TypeModule;
import io.mysqlpq.trino.write.WriteModule;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Binds the connector. The modules stand in the order of the packages, from what others build on to what Trino calls. */
public class MysqlPqModule
        implements Module
{
    private final Ticker ticker;
    private final ReadServer server;
    private final Optional<SharedReads> sharedReads;

    /** @param sharedReads what all parts of the catalog keep together; empty for the first part */
    MysqlPqModule(Ticker ticker, ReadServer server, Optional<SharedReads> sharedReads)
    {
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.server = requireNonNull(server, "server is null");
        this.sharedReads = requireNonNull(sharedReads, "sharedReads is null");
    }

    @Override
    public void configure(Binder binder)
    {
        binder.bind(Ticker.class).toInstance(ticker);
        binder.bind(ReadServer.class).toInstance(server);
        binder.bind(MeasuredServer.class).toInstance(new MeasuredServer(server.replica().map(ServerAddress::toString)));
        binder.install(new TypeModule());
        binder.install(new NativeScanModule());
        binder.install(new MetricsModule());
        binder.install(new ConnectionModule());
        binder.install(new DriverModule());
        binder.install(new ThrottleModule());
        binder.install(new ServerModule());
        binder.install(new SnapshotModule());
        binder.install(new PlanningModule());
        binder.install(new AggregationModule());
        binder.install(new StatisticsModule());
        binder.install(new TablesModule());
        binder.install(new SplitModule());
        binder.install(new SharingModule(sharedReads));
        binder.install(new ScanModule());
        binder.install(new WriteModule());
        binder.install(new ClientModule());
        binder.install(new MetadataModule());
        binder.install(new OperationsModule());
        binder.install(new RoutingModule());
        binder.bind(MysqlPqConnector.class).in(Scopes.SINGLETON);
        binder.bind(ServerCaches.class).in(Scopes.SINGLETON);
    }
}
