package io.mysqlpq.trino.sharing;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;

import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds what queries share. */
public final class SharingModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(SharedReadsConfig.class);
        bindSessionPropertiesProvider(binder, SharingSessionProperties.class);
        binder.bind(SharedReads.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, SharedReads.class);
    }
}
