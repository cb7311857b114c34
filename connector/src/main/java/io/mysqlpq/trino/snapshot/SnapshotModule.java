package io.mysqlpq.trino.snapshot;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;
import io.trino.plugin.jdbc.JdbcQueryEventListener;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds what gives scans their snapshots. */
public final class SnapshotModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(SnapshotConfig.class);
        bindSessionPropertiesProvider(binder, SnapshotSessionProperties.class);
        binder.bind(Donors.class).in(Scopes.SINGLETON);
        binder.bind(SnapshotGroups.class).in(Scopes.SINGLETON);
        binder.bind(GroupPositions.class).in(Scopes.SINGLETON);
        binder.bind(SnapshotStats.class).in(Scopes.SINGLETON);
        JmxExport.export(binder, SnapshotStats.class);
        binder.bind(TransactionSnapshots.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(TransactionSnapshots.class);
    }
}
