package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.spi.metrics.Count;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;
import io.trino.sql.planner.plan.PlanNode;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import java.util.Map;
import java.util.Optional;

import static io.trino.sql.planner.optimizations.PlanNodeSearcher.searchFrom;

/** Runs a real Trino with the connector over a real MySQL server. */
final class TestingTrino
        implements AutoCloseable
{
    static final String CATALOG = "mysql_pq";

    private final TrinoCluster cluster;

    TestingTrino(MysqlServer mysql, Map<String, String> catalogProperties)
            throws Exception
    {
        this(mysql, "root", catalogProperties);
    }

    TestingTrino(MysqlServer mysql, String user, Map<String, String> catalogProperties)
            throws Exception
    {
        this(withServer(mysql, user, catalogProperties));
    }

    /** With all properties of the catalog, also those that say where MySQL is. */
    TestingTrino(Map<String, String> catalogProperties)
            throws Exception
    {
        this(catalogProperties, 1);
    }

    private TestingTrino(Map<String, String> catalogProperties, int workers)
            throws Exception
    {
        cluster = TrinoCluster.take(workers);
        boolean created = false;
        try {
            cluster.runner().createCatalog(CATALOG, "mysql_pq", catalogProperties);
            created = true;
        }
        finally {
            if (!created) {
                cluster.giveBack();
            }
        }
    }

    /**
     * Runs one node, which plans and reads, for many queries whose answers are no matter of nodes: it takes a quarter less time.
     *
     * <p>Splits reach it as JSON over HTTP all the same. That a reader knows nothing of its planner's memory is tested elsewhere.
     */
    static TestingTrino oneNode(MysqlServer mysql, String user, Map<String, String> catalogProperties)
            throws Exception
    {
        return new TestingTrino(withServer(mysql, user, catalogProperties), 0);
    }

    static TestingTrino oneNode(MysqlServer mysql, Map<String, String> catalogProperties)
            throws Exception
    {
        return oneNode(mysql, "root", catalogProperties);
    }

    private static Map<String, String> withServer(MysqlServer mysql, String user, Map<String, String> catalogProperties)
    {
        return ImmutableMap.<String, String>builder()
                .put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                .put("connection-user", user)
                // Most tests ask the same again to see how it is read.
                .put("read-reuse-enabled", "false")
                .putAll(catalogProperties)
                .buildKeepingLast();
    }

    /** A second catalog, in which Trino computes everything by itself. */
    void addMemory()
    {
        cluster.addMemory();
    }

    DistributedQueryRunner runner()
    {
        return cluster.runner();
    }

    /** The default session with properties of the catalog. */
    Session session(Map<String, String> properties)
    {
        Session.SessionBuilder session = Session.builder(runner().getDefaultSession());
        properties.forEach((name, value) -> session.setCatalogSessionProperty(CATALOG, name, value));
        return session.build();
    }

    MaterializedResult execute(String sql)
    {
        return runner().execute(sql);
    }

    MaterializedResult execute(Session session, String sql)
    {
        return runner().execute(session, sql);
    }

    MaterializedResultWithPlan executeWithPlan(Session session, String sql)
    {
        return runner().executeWithPlan(session, sql);
    }

    /** Whether Trino itself was left such work to do. */
    static boolean has(MaterializedResultWithPlan result, Class<? extends PlanNode> node)
    {
        return searchFrom(result.queryPlan().orElseThrow().getRoot()).where(node::isInstance).matches();
    }

    /** What the page sources of a finished query published, merged over all its splits. */
    Map<String, Metric<?>> readMetrics(QueryId query)
    {
        return runner().getCoordinator().getFullQueryInfo(query).getQueryStats().getOperatorSummaries().stream()
                .map(operator -> operator.getConnectorMetrics())
                .reduce(Metrics.EMPTY, Metrics::mergeWith)
                .getMetrics();
    }

    long count(QueryId query, String metric)
    {
        return Optional.ofNullable(readMetrics(query).get(metric))
                .map(count -> ((Count<?>) count).getTotal())
                .orElse(0L);
    }

    /** The sum of an MBean's attribute over the catalog's nodes. */
    long counter(String type, String attribute)
    {
        return (long) (double) execute("SELECT COALESCE(sum(value), 0) FROM TABLE(%s.system.counters()) WHERE type = '%s' AND attribute = '%s'".formatted(CATALOG, type, attribute)).getOnlyValue();
    }

    @Override
    public void close()
    {
        cluster.giveBack();
    }
}
