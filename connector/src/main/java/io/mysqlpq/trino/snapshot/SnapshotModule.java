package io.mysqlpq.trino.snapshot;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provider;
import com.google.inject.Scopes;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.spi.catalog.CatalogName;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/** Binds what gives scans their snapshots. */
public final class SnapshotModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(Donors.class).in(Scopes.SINGLETON);
        binder.bind(SnapshotGroups.class).in(Scopes.SINGLETON);
        binder.bind(SnapshotStats.class).in(Scopes.SINGLETON);
        Provider<CatalogName> catalog = binder.getProvider(CatalogName.class);
        newExporter(binder).export(SnapshotStats.class)
                .as(generator -> generator.generatedNameOf(SnapshotStats.class, catalog.get().toString()));
        binder.bind(TransactionSnapshots.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(TransactionSnapshots.class);
    }
}
