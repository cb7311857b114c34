package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.plugin.jdbc.BaseAutomaticJoinPushdownTest;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.stream.Collectors.joining;

/** Runs Trino's own suite of joins that are pushed down by their cost. */
class TestAutomaticJoinPushdown
        extends BaseAutomaticJoinPushdownTest
{
    private MysqlServer mysql;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        mysql = closeAfterClass(MysqlServer.builder().extension(true).start());
        mysql.execute("CREATE DATABASE tpch");
        DistributedQueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("tpch").build()).setWorkerCount(1).build();
        runner.installPlugin(new TpchPlugin());
        runner.createCatalog("tpch", "tpch", ImmutableMap.of());
        runner.installPlugin(new MysqlPqPlugin());
        runner.createCatalog("mysql_pq", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root"));
        return runner;
    }

    @Override
    protected void gatherStats(String tableName)
    {
        String columns = computeActual("SHOW COLUMNS FROM " + tableName).getMaterializedRows().stream()
                .map(row -> "`%s`".formatted(row.getField(0)))
                .collect(joining(", "));
        mysql.execute("ANALYZE TABLE tpch." + tableName, "ANALYZE TABLE tpch.%s UPDATE HISTOGRAM ON %s WITH 1000 BUCKETS".formatted(tableName, columns));
    }
}
