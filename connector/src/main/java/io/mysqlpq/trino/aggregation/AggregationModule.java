package io.mysqlpq.trino.aggregation;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;

import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds who computes aggregations. */
public final class AggregationModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(AggregationConfig.class);
        bindSessionPropertiesProvider(binder, AggregationSessionProperties.class);
        binder.bind(AggregationPlanner.class).in(Scopes.SINGLETON);
    }
}
