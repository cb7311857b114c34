package io.mysqlpq.trino.types;

import com.google.inject.Binder;
import com.google.inject.Module;

import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds how MySQL types are mapped. */
public final class TypeModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(TypeConfig.class);
        bindSessionPropertiesProvider(binder, TypeSessionProperties.class);
    }
}
