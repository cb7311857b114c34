package io.mysqlpq.trino.routing;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.util.concurrent.UncheckedExecutionException;
import io.mysqlpq.trino.connection.ServerAddress;

import java.util.function.Function;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.DAYS;

/**
 * Keeps the part of the connector for each server that this node reads. The coordinator and each worker make it when they first need it. It ends when
 * nobody has asked for it for two days, which no read lasts.
 */
final class ServerParts
{
    private static final int DAYS_UNUSED = 2;

    private final ServerPart primary;
    private final LoadingCache<ServerAddress, ServerPart> replicas;

    ServerParts(ServerPart primary, Function<ServerAddress, ServerPart> replica)
    {
        this.primary = requireNonNull(primary, "primary is null");
        this.replicas = CacheBuilder.newBuilder()
                .expireAfterAccess(DAYS_UNUSED, DAYS)
                .<ServerAddress, ServerPart>removalListener(removed -> removed.getValue().connector().shutdown())
                .build(CacheLoader.from(replica::apply));
    }

    ServerPart primary()
    {
        return primary;
    }

    ServerPart of(ServerAddress address)
    {
        try {
            return address.equals(primary.address()) ? primary : replicas.getUnchecked(address);
        }
        catch (UncheckedExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw e;
        }
    }

    /** Has the parts for replicas forget all that they remember of tables. */
    void forgetReplicas()
    {
        replicas.asMap().values().forEach(part -> part.forget().run());
    }

    /** Has all parts forget what they remember of tables. */
    void forget()
    {
        primary.forget().run();
        forgetReplicas();
    }

    void shutdown()
    {
        try {
            primary.connector().shutdown();
        }
        finally {
            replicas.invalidateAll();
        }
    }
}
