package io.mysqlpq.trino;

import com.google.inject.Inject;
import io.mysqlpq.trino.operations.FlushPlanningCacheProcedure;
import io.mysqlpq.trino.tables.VerifiedTableCache;
import io.trino.plugin.jdbc.CachingJdbcClient;

import static java.util.Objects.requireNonNull;

/** Holds all that a part of the catalog remembers of tables, so that it can forget it at once. */
final class ServerCaches
{
    private final VerifiedTableCache tables;
    private final FlushPlanningCacheProcedure planning;
    private final CachingJdbcClient client;

    @Inject
    ServerCaches(VerifiedTableCache tables, FlushPlanningCacheProcedure planning, CachingJdbcClient client)
    {
        this.tables = requireNonNull(tables, "tables is null");
        this.planning = requireNonNull(planning, "planning is null");
        this.client = requireNonNull(client, "client is null");
    }

    void forget()
    {
        tables.forget();
        planning.flush();
        client.flushCache();
    }
}
