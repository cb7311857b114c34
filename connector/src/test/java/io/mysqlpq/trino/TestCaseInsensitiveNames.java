package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.plugin.jdbc.BaseCaseInsensitiveMappingTest;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.SqlExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;

import java.nio.file.Path;

import static io.trino.plugin.base.mapping.testing.RuleBasedIdentifierMappingUtils.REFRESH_PERIOD_DURATION;
import static io.trino.plugin.base.mapping.testing.RuleBasedIdentifierMappingUtils.createRuleBasedIdentifierMappingFile;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/** Runs Trino's own suite of names that differ in case, which MySQL tells apart on Linux. */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
class TestCaseInsensitiveNames
        extends BaseCaseInsensitiveMappingTest
{
    private MysqlServer mysql;
    private Path mappingFile;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        mappingFile = createRuleBasedIdentifierMappingFile();
        mysql = closeAfterClass(MysqlServer.builder().extension(true).start());
        mysql.execute("CREATE DATABASE tpch");
        DistributedQueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("tpch").build()).setWorkerCount(1).build();
        runner.installPlugin(new MysqlPqPlugin());
        runner.createCatalog("mysql_pq", "mysql_pq", ImmutableMap.<String, String>builder()
                .put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                .put("connection-user", "root")
                .put("case-insensitive-name-matching", "true")
                .put("case-insensitive-name-matching.config-file", mappingFile.toString())
                .put("case-insensitive-name-matching.config-file.refresh-period", REFRESH_PERIOD_DURATION.toString())
                .buildOrThrow());
        return runner;
    }

    @Override
    protected Path getMappingFile()
    {
        return mappingFile;
    }

    @Override
    protected SqlExecutor onRemoteDatabase()
    {
        return mysql::execute;
    }

    @Override
    protected String quoted(String name)
    {
        return "`%s`".formatted(name);
    }

    /** Trino's suite expects a name that no query can use to be listed. */
    @Test
    @Override
    public void testTableNameClash()
    {
        mysql.execute("CREATE TABLE tpch.casesensitivename (c VARCHAR(5))", "CREATE TABLE tpch.CaseSensitiveName (c VARCHAR(5))");
        try {
            assertThat(computeActual("SHOW TABLES").getOnlyColumn()).doesNotContain("casesensitivename");
            assertThat(computeActual("SELECT column_name FROM information_schema.columns WHERE table_name = 'casesensitivename'").getRowCount()).isZero();
            assertQueryFails("SHOW COLUMNS FROM casesensitivename", "Failed to find remote table name: Ambiguous name: casesensitivename");
            assertQueryFails("SELECT * FROM casesensitivename", "Failed to find remote table name: Ambiguous name: casesensitivename");
        }
        finally {
            mysql.execute("DROP TABLE tpch.casesensitivename", "DROP TABLE tpch.CaseSensitiveName");
        }
    }
}
