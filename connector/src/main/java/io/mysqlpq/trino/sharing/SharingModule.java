package io.mysqlpq.trino.sharing;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;

import java.util.Optional;

import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;
import static java.util.Objects.requireNonNull;

/** Binds what queries share. */
public final class SharingModule
        implements Module
{
    private final Optional<SharedReads> reads;

    /** @param reads what another part of the catalog keeps already, with the memory for both; empty for the first part */
    public SharingModule(Optional<SharedReads> reads)
    {
        this.reads = requireNonNull(reads, "reads is null");
    }

    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(SharedReadsConfig.class);
        bindSessionPropertiesProvider(binder, SharingSessionProperties.class);
        reads.ifPresentOrElse(
                kept -> binder.bind(SharedReads.class).toInstance(kept),
                () -> {
                    binder.bind(SharedReads.class).in(Scopes.SINGLETON);
                    JmxExport.export(binder, SharedReads.class);
                });
    }
}
