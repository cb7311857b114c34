package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Key;
import io.trino.connector.ConnectorServicesProvider;
import io.trino.metadata.CatalogManager;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.testing.TestingTrinoServer;
import io.trino.spi.catalog.CatalogName;
import io.trino.testing.DistributedQueryRunner;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import static io.trino.testing.TestingSession.testSessionBuilder;

/** Is a Trino cluster with the connector's plugin and no catalog of it. To start one takes longer than most tests, so they use it one after the other. */
final class TrinoCluster
{
    private static final Set<CatalogName> KEPT_CATALOGS = ImmutableSet.of(new CatalogName("tpch"), new CatalogName("system"));
    // By their number of workers.
    private static final Map<Integer, Queue<TrinoCluster>> IDLE = new ConcurrentHashMap<>();

    static {
        // Its servers have folders.
        Runtime.getRuntime().addShutdownHook(new Thread(TrinoCluster::closeIdle, "idle-trino-clusters"));
    }

    private final int workers;
    private final DistributedQueryRunner runner;
    private boolean hasMemory;

    private TrinoCluster(int workers)
            throws Exception
    {
        this.workers = workers;
        this.runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog(TestingTrino.CATALOG).setSchema("test").build())
                .setWorkerCount(workers)
                // Trino's servers for tests forget a query at once when others have ended since, also if its client has not yet fetched all rows.
                .addExtraProperty("query.max-history", "1000")
                .build();
        runner.installPlugin(new MysqlPqPlugin());
        runner.installPlugin(new TpchPlugin());
        runner.createCatalog("tpch", "tpch", ImmutableMap.of("tpch.column-naming", "STANDARD", "tpch.double-type-mapping", "DECIMAL"));
    }

    /** Returns a cluster that nobody else uses. */
    static TrinoCluster take(int workers)
            throws Exception
    {
        TrinoCluster idle = idle(workers).poll();
        return idle == null ? new TrinoCluster(workers) : idle;
    }

    private static void closeIdle()
    {
        IDLE.values().forEach(clusters -> clusters.forEach(cluster -> cluster.runner.close()));
    }

    private static Queue<TrinoCluster> idle(int workers)
    {
        return IDLE.computeIfAbsent(workers, _ -> new ConcurrentLinkedQueue<>());
    }

    DistributedQueryRunner runner()
    {
        return runner;
    }

    void addMemory()
    {
        if (!hasMemory) {
            runner.installPlugin(new MemoryPlugin());
            hasMemory = true;
        }
        runner.createCatalog("memory", "memory");
    }

    /** Ends the catalogs that were created, with their connections and threads, and lets others use the cluster. */
    void giveBack()
    {
        runner.getAccessControl().reset();
        CatalogManager catalogs = runner.getCoordinator().getInstance(Key.get(CatalogManager.class));
        for (CatalogName catalog : new ArrayDeque<>(catalogs.getCatalogNames())) {
            if (!KEPT_CATALOGS.contains(catalog)) {
                catalogs.dropCatalog(catalog, true);
            }
        }
        // Trino itself does so a little later.
        for (TestingTrinoServer server : runner.getServers()) {
            ConnectorServicesProvider connectors = server.getInstance(Key.get(ConnectorServicesProvider.class));
            connectors.pruneCatalogs(connectors.getPrunableState(), catalogs.getReachableDynamicCatalogs());
        }
        idle(workers).add(this);
    }
}
