package io.mysqlpq.trino.connection;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;
import io.trino.plugin.jdbc.JdbcQueryEventListener;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;

/** Binds the connections that plan, read and hold snapshots. */
public final class ConnectionModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(ConnectionConfig.class);
        binder.bind(EndedQueries.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(EndedQueries.class);
        binder.bind(ConnectionShares.class).in(Scopes.SINGLETON);
        binder.bind(ConnectionClock.class).in(Scopes.SINGLETON);
        binder.bind(ConnectionPermits.class).in(Scopes.SINGLETON);
        binder.bind(NodeConnections.class).in(Scopes.SINGLETON);
        binder.bind(ConnectionPools.class).in(Scopes.SINGLETON);
        binder.bind(LinkSpeed.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, ConnectionPermits.class);
        JmxExport.export(binder, NodeConnections.class);
        JmxExport.export(binder, ConnectionPools.class);
    }
}
