package io.mysqlpq.trino.tables;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import io.mysqlpq.trino.driver.ReusedConnections;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;

/** Binds what is known of tables and columns. */
public final class TablesModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(TableDefinitions.class).in(Scopes.SINGLETON);
        binder.bind(VerifiedTableCache.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    static GeneratedKeys generatedKeys(ReusedConnections connections, RemoteQueryModifier queryModifier)
    {
        return new GeneratedKeys(connections, queryModifier);
    }
}
