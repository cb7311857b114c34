package io.mysqlpq.trino.server;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;

import static io.airlift.configuration.ConfigBinder.configBinder;

/** Binds what asks a server for facts. */
public final class ServerModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(ServerConfig.class);
        binder.bind(RememberedKeys.class).in(Scopes.SINGLETON);
        binder.bind(TableKeyReader.class).in(Scopes.SINGLETON);
        binder.bind(PartitionReader.class).in(Scopes.SINGLETON);
        binder.bind(TableSizeReader.class).in(Scopes.SINGLETON);
        binder.bind(ExtensionRanges.class).in(Scopes.SINGLETON);
        binder.bind(ExtensionSnapshots.class).in(Scopes.SINGLETON);
    }
}
