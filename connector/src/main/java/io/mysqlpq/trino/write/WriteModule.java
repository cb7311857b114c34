package io.mysqlpq.trino.write;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.load.LoadConfig;
import io.mysqlpq.trino.load.LoadSessionProperties;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.JdbcWriteConfig;
import io.trino.spi.connector.ConnectorPageSinkProvider;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;
import static io.trino.plugin.jdbc.JdbcModule.bindTablePropertiesProvider;

/** Binds what changes rows. */
public final class WriteModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(AbandonedTablesConfig.class);
        configBinder(binder).bindConfig(LoadConfig.class);
        bindSessionPropertiesProvider(binder, LoadSessionProperties.class);
        binder.bind(AbandonedTables.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(AbandonedTables.class);
        bindTablePropertiesProvider(binder, PrimaryKeyProperty.class);
        newOptionalBinder(binder, ConnectorPageSinkProvider.class).setBinding().to(RowChangeSinks.class).in(Scopes.SINGLETON);
        // A batch is one transaction, and several statements.
        configBinder(binder).bindConfigDefaults(JdbcWriteConfig.class, config -> config.setWriteBatchSize(10_000));
    }
}
