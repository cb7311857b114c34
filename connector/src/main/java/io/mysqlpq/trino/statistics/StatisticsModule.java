package io.mysqlpq.trino.statistics;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.trino.plugin.jdbc.JdbcStatisticsConfig;

import static io.airlift.configuration.ConfigBinder.configBinder;

/** Binds what estimates tables for the optimizer. */
public final class StatisticsModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(JdbcStatisticsConfig.class);
        configBinder(binder).bindConfig(SampleConfig.class);
        binder.bind(TableSampler.class).in(Scopes.SINGLETON);
        binder.bind(TableStatisticsReader.class).in(Scopes.SINGLETON);
    }
}
