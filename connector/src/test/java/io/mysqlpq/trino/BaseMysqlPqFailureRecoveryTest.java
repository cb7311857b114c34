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
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.trino.plugin.tpch.TpchMetadata.TINY_SCHEMA_NAME;
import static io.trino.testing.QueryAssertions.copyTpchTables;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Runs Trino's own suite of failing tasks, reads and writes, with tables read by ranges. */
abstract class BaseMysqlPqFailureRecoveryTest
        extends BaseJdbcFailureRecoveryTest
{
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
                .setExtraProperties(configProperties)
                .setCoordinatorProperties(coordinatorProperties)
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
