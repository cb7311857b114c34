package io.mysqlpq.trino.nativescan;

import com.google.inject.Binder;
import com.google.inject.Module;

import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds the settings of native scans. */
public final class NativeScanModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(NativeScanConfig.class);
        bindSessionPropertiesProvider(binder, NativeScanSessionProperties.class);
    }
}
