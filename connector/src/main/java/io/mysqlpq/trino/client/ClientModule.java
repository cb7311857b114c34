package io.mysqlpq.trino.client;

import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.airlift.units.DataSize;
import io.mysqlpq.trino.scan.DynamicFilterSql;
import io.trino.plugin.jdbc.DecimalModule;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcJoinPushdownConfig;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.ptf.Query;
import io.trino.spi.function.table.ConnectorTableFunction;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.plugin.jdbc.DecimalModule.MappingToNumber.ON_BY_DEFAULT;

/** Binds base-jdbc's client for MySQL. */
public final class ClientModule
        implements Module
{
    private static final DataSize LARGEST_JOINED_TABLE = DataSize.of(16, MEGABYTE);

    @Override
    public void configure(Binder binder)
    {
        binder.bind(Key.get(JdbcClient.class, ForBaseJdbc.class)).to(MysqlPqClient.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, QueryBuilder.class).setBinding().to(MysqlPqQueryBuilder.class).in(Scopes.SINGLETON);
        binder.bind(DynamicFilterSql.class).to(MysqlPqQueryBuilder.class).in(Scopes.SINGLETON);
        binder.install(DecimalModule.withNumberMapping(ON_BY_DEFAULT));
        newSetBinder(binder, ConnectorTableFunction.class).addBinding().toProvider(Query.class).in(Scopes.SINGLETON);
        // Larger tables are read faster by ranges, on all workers, than MySQL joins them.
        configBinder(binder).bindConfigDefaults(JdbcJoinPushdownConfig.class, config -> config.setJoinPushdownAutomaticMaxTableSize(LARGEST_JOINED_TABLE));
    }
}
