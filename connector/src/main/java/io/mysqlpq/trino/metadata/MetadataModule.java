package io.mysqlpq.trino.metadata;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.trino.plugin.jdbc.JdbcMetadataConfig;
import io.trino.plugin.jdbc.JdbcMetadataFactory;

import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;

/** Binds what Trino asks about tables. */
public final class MetadataModule
        implements Module
{
    private static final int DOMAIN_COMPACTION_THRESHOLD = 1000;

    @Override
    public void configure(Binder binder)
    {
        newOptionalBinder(binder, JdbcMetadataFactory.class).setBinding().to(MysqlPqMetadataFactory.class).in(Scopes.SINGLETON);
        // Without bulk lists information_schema costs some statements for each table. MySQL looks a number up among a thousand in less time
        // than it takes to send a row that a join then drops.
        configBinder(binder).bindConfigDefaults(JdbcMetadataConfig.class, config -> config
                .setBulkListColumns(true)
                .setDomainCompactionThreshold(DOMAIN_COMPACTION_THRESHOLD));
    }
}
