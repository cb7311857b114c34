package io.mysqlpq.trino.driver;

import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Scopes;
import com.google.inject.util.Modules;
import io.airlift.configuration.ConfigurationAwareModule;
import io.airlift.configuration.ConfigurationFactory;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.plugin.jdbc.credential.CredentialProviderModule;
import io.trino.plugin.jdbc.credential.CredentialProviderTypeConfig;
import io.trino.plugin.jdbc.credential.ForExtraCredentialProvider;

import static io.trino.plugin.jdbc.credential.CredentialProviderType.FILE;

/** Binds base-jdbc's sources of credentials, with this connector's reader of a credential file. */
public final class CredentialModule
        implements ConfigurationAwareModule
{
    private final CredentialProviderModule delegate = new CredentialProviderModule();
    private ConfigurationFactory configurationFactory;

    @Override
    public void setConfigurationFactory(ConfigurationFactory configurationFactory)
    {
        this.configurationFactory = configurationFactory;
        delegate.setConfigurationFactory(configurationFactory);
    }

    @Override
    public void configure(Binder binder)
    {
        binder.install(Modules.override(delegate).with(overriding -> {
            if (configurationFactory.build(CredentialProviderTypeConfig.class).getCredentialProviderType() == FILE) {
                overriding.bind(Key.get(CredentialProvider.class, ForExtraCredentialProvider.class)).to(CredentialFile.class).in(Scopes.SINGLETON);
            }
        }));
    }
}
