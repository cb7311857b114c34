package io.mysqlpq.trino.sharing;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;

import static io.airlift.configuration.ConfigBinder.configBinder;

/** Binds what queries of a snapshot share. */
public final class SharingModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(SharedReadsConfig.class);
        binder.bind(SharedReads.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, SharedReads.class);
    }
}
