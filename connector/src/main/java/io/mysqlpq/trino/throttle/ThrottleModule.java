package io.mysqlpq.trino.throttle;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.mysqlpq.trino.metrics.JmxExport;
import io.trino.plugin.jdbc.JdbcQueryEventListener;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.trino.plugin.jdbc.JdbcModule.bindSessionPropertiesProvider;

/** Binds who may read a server that is busy or lags. */
public final class ThrottleModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(ThrottleConfig.class);
        bindSessionPropertiesProvider(binder, ThrottleSessionProperties.class);
        binder.bind(ServerAdmission.class).in(Scopes.SINGLETON);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(ServerAdmission.class);
        JmxExport.export(binder, ServerAdmission.class);
    }
}
