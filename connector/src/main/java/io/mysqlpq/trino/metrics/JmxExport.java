package io.mysqlpq.trino.metrics;

import com.google.common.collect.ImmutableMap;
import com.google.inject.Binder;
import com.google.inject.Provider;
import io.trino.spi.catalog.CatalogName;

import java.util.Map;

import static org.weakref.jmx.guice.ExportBinder.newExporter;

/**
 * Exports what a class counts under a name that holds the catalog's, and the server's if that is one of the catalog's replicas.
 *
 * <p>Trino's page of metrics shows the keys {@code type} and {@code name} only, so the name alone tells replicas apart. The key {@code server} has the
 * exact address.
 */
public final class JmxExport
{
    /** Stands between the catalog and the server. No name of a catalog has upper-case letters. */
    public static final String SERVER = " SERVER ";

    private JmxExport()
    {}

    public static void export(Binder binder, Class<?> counter)
    {
        Provider<CatalogName> catalog = binder.getProvider(CatalogName.class);
        Provider<MeasuredServer> server = binder.getProvider(MeasuredServer.class);
        newExporter(binder).export(counter).as(generator -> generator.generatedNameOf(counter, keys(counter, catalog.get(), server.get())));
    }

    private static Map<String, String> keys(Class<?> counter, CatalogName catalog, MeasuredServer server)
    {
        ImmutableMap.Builder<String, String> keys = ImmutableMap.<String, String>builder()
                .put("type", counter.getSimpleName())
                .put("name", server.replica().map(replica -> catalog + SERVER + replica.replaceAll("[^A-Za-z0-9.-]", "_")).orElseGet(catalog::toString));
        server.replica().ifPresent(replica -> keys.put("server", replica));
        return keys.buildOrThrow();
    }
}
