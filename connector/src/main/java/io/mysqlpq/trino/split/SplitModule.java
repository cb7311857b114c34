package io.mysqlpq.trino.split;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.trino.plugin.jdbc.JdbcDynamicFilteringSplitManager;
import io.trino.spi.connector.ConnectorSplitManager;

import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;

/** Binds what makes splits. */
public final class SplitModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(ReadPlaces.class).in(Scopes.SINGLETON);
        binder.bind(ScanCopies.class).in(Scopes.SINGLETON);
        binder.bind(SplitPlanner.class).in(Scopes.SINGLETON);
        binder.bind(JdbcDynamicFilteringSplitManager.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, ConnectorSplitManager.class).setBinding().to(MysqlPqSplitManager.class).in(Scopes.SINGLETON);
    }
}
