package io.mysqlpq.trino.routing;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;
import io.mysqlpq.trino.throttle.AppliedTransactions;

import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds what chooses the server that a query reads from. */
public final class RoutingModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(RoutingConfig.class);
        bindSessionPropertiesProvider(binder, RoutingSessionProperties.class);
        binder.bind(AppliedTransactions.class).in(Scopes.SINGLETON);
        binder.bind(RoutedQueries.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, RoutedQueries.class);
    }
}
