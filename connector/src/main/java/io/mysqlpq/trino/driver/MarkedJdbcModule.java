package io.mysqlpq.trino.driver;

import com.google.inject.Binder;
import com.google.inject.Scopes;
import com.google.inject.util.Modules;
import io.airlift.configuration.ConfigurationAwareModule;
import io.airlift.configuration.ConfigurationFactory;
import io.mysqlpq.trino.connection.StatementMark;
import io.trino.plugin.jdbc.JdbcModule;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;

/** Binds base-jdbc, with this connector's comment in its statements instead of one at their end. */
public final class MarkedJdbcModule
        implements ConfigurationAwareModule
{
    private final JdbcModule delegate = new JdbcModule();

    @Override
    public void setConfigurationFactory(ConfigurationFactory configurationFactory)
    {
        delegate.setConfigurationFactory(configurationFactory);
    }

    @Override
    public void configure(Binder binder)
    {
        binder.install(Modules.override(delegate).with(overriding -> overriding.bind(RemoteQueryModifier.class).to(StatementMark.class).in(Scopes.SINGLETON)));
    }
}
