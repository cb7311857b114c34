package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.MysqlPqPlugin;
import io.trino.Session;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.spi.QueryId;
import io.trino.spi.metrics.Count;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.stream.Collectors.toMap;

/**
 * Runs Trino with the connector over a real MySQL server, and tells what its scans did.
 */
public final class CrossCluster
        implements AutoCloseable
{
    static final String CATALOG = "mysql_pq";
    // Small splits, so that tables of some thousand rows are read in many.
    static final Map<String, String> PARALLEL = Map.of(
            "range-source", "EXTENSION",
            "target-rows-per-split", "1000");

    private final MysqlServer mysql;
    private final Map<String, String> properties;
    private final DistributedQueryRunner trino;

    public static CrossCluster parallel(MysqlServer mysql)
    {
        return new CrossCluster(mysql, PARALLEL);
    }

    /** With the settings that a catalog has by itself. */
    public static CrossCluster byDefault(MysqlServer mysql)
    {
        return new CrossCluster(mysql, Map.of());
    }

    /** With these properties, and the settings that a catalog has by itself. */
    public static CrossCluster byDefault(MysqlServer mysql, Map<String, String> properties)
    {
        return new CrossCluster(mysql, properties);
    }

    /** With further properties of the catalog. */
    public static CrossCluster parallel(MysqlServer mysql, Map<String, String> properties)
    {
        Map<String, String> all = new HashMap<>(PARALLEL);
        all.putAll(properties);
        return new CrossCluster(mysql, all);
    }

    CrossCluster(MysqlServer mysql, Map<String, String> properties)
    {
        this(mysql, properties, 1);
    }

    // The coordinator reads too.
    CrossCluster(MysqlServer mysql, Map<String, String> properties, int workers)
    {
        this.mysql = mysql;
        this.properties = Map.copyOf(properties);
        try {
            trino = DistributedQueryRunner.builder(testSessionBuilder().setCatalog(CATALOG).setSchema("s").build()).setWorkerCount(workers).build();
        }
        catch (Exception e) {
            mysql.close();
            throw new IllegalStateException("Cannot start Trino", e);
        }
        trino.installPlugin(new TpchPlugin());
        trino.createCatalog("tpch", "tpch", Map.of("tpch.column-naming", "STANDARD", "tpch.double-type-mapping", "DECIMAL"));
        trino.installPlugin(new MysqlPqPlugin());
        createCatalog(CATALOG, Map.of());
    }

    /** Another catalog over the same MySQL server. */
    public void createCatalog(String name, Map<String, String> changes)
    {
        createCatalog(name, "mysql_pq", changes);
    }

    /** The same of another connector. */
    public void createCatalog(String name, String connector, Map<String, String> changes)
    {
        trino.createCatalog(name, connector, catalogProperties(changes));
    }

    public MysqlServer mysql()
    {
        return mysql;
    }

    public DistributedQueryRunner trino()
    {
        return trino;
    }

    /** A connection to Trino, by JDBC. */
    public Connection connect()
            throws SQLException
    {
        return DriverManager.getConnection("jdbc:trino://%s/%s?user=test".formatted(trino.getCoordinator().getAddress(), CATALOG));
    }

    Connection connect(Map<String, String> catalogProperties)
            throws SQLException
    {
        Connection connection = connect();
        set(connection, catalogProperties);
        return connection;
    }

    static void set(Connection connection, Map<String, String> catalogProperties)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> property : catalogProperties.entrySet()) {
                String value = property.getValue();
                statement.execute("SET SESSION %s.%s = %s".formatted(CATALOG, property.getKey(), value.matches("true|false") ? value : "'%s'".formatted(value)));
            }
        }
    }

    static void reset(Connection connection, Set<String> catalogProperties)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            for (String property : catalogProperties) {
                statement.execute("RESET SESSION %s.%s".formatted(CATALOG, property));
            }
        }
    }

    Session session(String catalog, String schema)
    {
        return testSessionBuilder().setCatalog(catalog).setSchema(schema).build();
    }

    Session session(Map<String, String> catalogProperties)
    {
        Session.SessionBuilder session = Session.builder(trino.getDefaultSession());
        catalogProperties.forEach((name, value) -> session.setCatalogSessionProperty(CATALOG, name, value));
        return session.build();
    }

    public MaterializedResult query(String sql)
    {
        return trino.execute(trino.getDefaultSession(), sql);
    }

    MaterializedResultWithPlan queryWithId(String sql)
    {
        return trino.executeWithPlan(trino.getDefaultSession(), sql);
    }

    // Summed over all scans of the query.
    long scanCount(QueryId query, String metric)
    {
        return scanCounts(query).getOrDefault(metric, 0L);
    }

    Map<String, Long> scanCounts(QueryId query)
    {
        return trino.getCoordinator().getFullQueryInfo(query).getQueryStats().getOperatorSummaries().stream()
                .map(operator -> operator.getConnectorMetrics().getMetrics())
                .flatMap(metrics -> metrics.entrySet().stream())
                .flatMap(metric -> metric.getValue() instanceof Count<?> count ? Stream.of(Map.entry(metric.getKey(), count.getTotal())) : Stream.empty())
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
    }

    @Override
    public void close()
    {
        trino.close();
        mysql.close();
    }

    private Map<String, String> catalogProperties(Map<String, String> changes)
    {
        Map<String, String> all = new HashMap<>(Map.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "connection-password", ""));
        all.putAll(properties);
        all.putAll(changes);
        return Map.copyOf(all);
    }
}
