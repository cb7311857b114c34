package io.mysqlpq.trino.scan;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.trino.plugin.jdbc.JdbcPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProvider;

import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;

/** Binds what reads splits. */
public final class ScanModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(JdbcPageSourceProvider.class).in(Scopes.SINGLETON);
        binder.bind(ReadIdentity.class).in(Scopes.SINGLETON);
        newOptionalBinder(binder, ConnectorPageSourceProvider.class).setBinding().to(MysqlPqPageSourceProvider.class).in(Scopes.SINGLETON);
    }
}
