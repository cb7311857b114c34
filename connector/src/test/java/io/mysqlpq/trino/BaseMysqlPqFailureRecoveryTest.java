package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import com.google.inject.Module;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.operator.RetryPolicy;
import io.trino.plugin.exchange.filesystem.FileSystemExchangePlugin;
import io.trino.plugin.jdbc.BaseJdbcFailureRecoveryTest;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static io.trino.execution.FailureInjector.InjectedFailureType.TASK_FAILURE;
import static io.trino.plugin.tpch.TpchMetadata.TINY_SCHEMA_NAME;
import static io.trino.spi.ErrorType.INTERNAL_ERROR;
import static io.trino.testing.QueryAssertions.copyTpchTables;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Runs Trino's own suite of failing tasks, reads and writes, with tables read by ranges. */
abstract class BaseMysqlPqFailureRecoveryTest
        extends BaseJdbcFailureRecoveryTest
{
    // Most of the suite's time it waits for requests that it lets fail: by default five seconds each, and ten for the answer.
    private static final Map<String, String> SHORT_WAITS = ImmutableMap.of(
            "query.remote-task.max-error-duration", "3s",
            "exchange.max-error-duration", "3s",
            "exchange.http-client.idle-timeout", "3s",
            "failure-injection.request-timeout", "6s");
    private static final Map<String, String> SHORT_WAITS_OF_COORDINATOR = ImmutableMap.of("scheduler.http-client.idle-timeout", "3s");

    @TempDir
    static Path exchangeFolder;

    private MysqlServer mysql;

    BaseMysqlPqFailureRecoveryTest(RetryPolicy retryPolicy)
    {
        super(retryPolicy);
    }

    @Override
    protected QueryRunner createQueryRunner(
            List<TpchTable<?>> requiredTpchTables,
            Map<String, String> configProperties,
            Map<String, String> coordinatorProperties,
            Module failureInjectionModule)
            throws Exception
    {
        mysql = closeAfterClass(MysqlServer.builder().extension(true).start());
        mysql.execute("CREATE DATABASE tpch");
        DistributedQueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("tpch").build())
                .setExtraProperties(with(configProperties, SHORT_WAITS))
                .setCoordinatorProperties(with(coordinatorProperties, SHORT_WAITS_OF_COORDINATOR))
                .setAdditionalModule(failureInjectionModule)
                .setAdditionalSetup(queryRunner -> {
                    queryRunner.installPlugin(new FileSystemExchangePlugin());
                    queryRunner.loadExchangeManager("filesystem", ImmutableMap.of("exchange.base-directories", exchangeFolder.toString()));
                })
                .build();
        runner.installPlugin(new TpchPlugin());
        runner.createCatalog("tpch", "tpch", ImmutableMap.of());
        runner.installPlugin(new MysqlPqPlugin());
        runner.createCatalog("mysql_pq", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "range-source", "EXTENSION",
                "target-rows-per-split", "3000"));
        copyTpchTables(runner, "tpch", TINY_SCHEMA_NAME, requiredTpchTables);
        mysql.execute("ALTER TABLE tpch.orders ADD PRIMARY KEY (orderkey)");
        return runner;
    }

    private static Map<String, String> with(Map<String, String> properties, Map<String, String> others)
    {
        return ImmutableMap.<String, String>builder().putAll(properties).putAll(others).buildKeepingLast();
    }

    @Override
    protected boolean supportsMerge()
    {
        return true;
    }

    @Override
    protected void addPrimaryKeyForMergeTarget(Session session, String tableName, String primaryKey)
    {
        mysql.execute("ALTER TABLE tpch.`%s` ADD PRIMARY KEY (%s)".formatted(tableName, primaryKey));
    }

    // MySQL executes it alone, in one statement of the coordinator, where nothing is tried again.
    @Test
    @Override
    protected void testUpdate()
    {
        assertThatQuery("UPDATE <table> SET shippriority = 101 WHERE custkey = 1")
                .withSetupQuery(Optional.of("CREATE TABLE <table> AS SELECT * FROM orders"))
                .withCleanupQuery(Optional.of("DROP TABLE <table>"))
                .isCoordinatorOnly();
    }

    // The suite lets these fail in each way and place, as it does testInsert and testMerge, by which they write; here some are enough.
    @Test
    @Override
    protected void testExplainAnalyze()
    {
        for (String explain : List.of("", "EXPLAIN ANALYZE ")) {
            for (Function<MaterializedResult, Integer> stage : List.of(leafStage(), boundaryDistributedStage())) {
                assertThatQuery(explain + "SELECT orderstatus, approx_distinct(clerk), count(*) FROM orders GROUP BY orderstatus")
                        .experiencing(TASK_FAILURE, Optional.of(INTERNAL_ERROR))
                        .at(stage)
                        .finishesSuccessfully();
            }
        }
    }

    @Test
    @Override
    protected void testCreateTable()
    {
        for (Function<MaterializedResult, Integer> stage : List.of(leafStage(), boundaryDistributedStage())) {
            assertThatQuery("CREATE TABLE <table> AS SELECT * FROM orders")
                    .withCleanupQuery(Optional.of("DROP TABLE <table>"))
                    .experiencing(TASK_FAILURE, Optional.of(INTERNAL_ERROR))
                    .at(stage)
                    .finishesSuccessfully()
                    .cleansUpTemporaryTables();
        }
    }

    @Test
    @Override
    protected void testUpdateWithSubquery()
    {
        assertWrites("UPDATE <table> SET shippriority = 101 WHERE custkey = (SELECT min(custkey) FROM customer)");
    }

    @Test
    @Override
    protected void testDeleteWithSubquery()
    {
        assertWrites("DELETE FROM <table> WHERE custkey IN (SELECT custkey FROM customer WHERE nationkey = 1)");
    }

    private void assertWrites(String sql)
    {
        for (Function<MaterializedResult, Integer> stage : List.of(leafStage(), boundaryDistributedStage())) {
            assertThatQuery(sql)
                    .withSetupQuery(Optional.of("CREATE TABLE <table> AS SELECT * FROM orders"))
                    .withCleanupQuery(Optional.of("DROP TABLE <table>"))
                    .withPrimaryKey(Optional.of("orderkey"))
                    .experiencing(TASK_FAILURE, Optional.of(INTERNAL_ERROR))
                    .at(stage)
                    .finishesSuccessfully()
                    .cleansUpTemporaryTables();
        }
    }

    // The suite skips these two where a connector has no such statement. Here a skipped test is a failure.
    @Test
    @Override
    protected void testAnalyzeTable()
    {
        assertThatThrownBy(super::testAnalyzeTable).isInstanceOf(TestAbortedException.class);
    }

    @Test
    @Override
    protected void testRefreshMaterializedView()
    {
        assertThatThrownBy(super::testRefreshMaterializedView).isInstanceOf(TestAbortedException.class);
    }
}
