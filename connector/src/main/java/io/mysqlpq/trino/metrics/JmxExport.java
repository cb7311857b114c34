package io.mysqlpq.trino.metrics;

import com.google.inject.Binder;
import com.google.inject.Provider;
import io.trino.spi.catalog.CatalogName;

import static org.weakref.jmx.guice.ExportBinder.newExporter;

/** Exports what a class counts under a name that holds the catalog's. */
public final class JmxExport
{
    private JmxExport()
    {}

    public static void export(Binder binder, Class<?> counter)
    {
        Provider<CatalogName> catalog = binder.getProvider(CatalogName.class);
        newExporter(binder).export(counter).as(generator -> generator.generatedNameOf(counter, catalog.get().toString()));
    }
}
