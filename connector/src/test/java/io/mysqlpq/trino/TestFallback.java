package io.mysqlpq.trino;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.lang.management.ManagementFactory;

import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads from a server whose extension comes and goes. */
@TestInstance(PER_CLASS)
class TestFallback
{
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(false).start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY)",
                "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n FROM s",
                "CREATE TABLE test.dates (d DATE PRIMARY KEY)",
                "INSERT INTO test.dates SELECT DATE '2000-01-01' + INTERVAL n DAY FROM test.numbers");
        trino = new TestingTrino(mysql, ImmutableMap.of(
                "parallel-reads-enabled", "true",
                "extension-probe-ttl", "0ms",
                "target-rows-per-split", "1000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testExtensionComesAndGoes()
            throws Exception
    {
        assertOneSplit("NOT_INSTALLED");
        assertFailsWithExtensionMode("INSTALL PLUGIN mysql_pq");

        mysql.execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        assertThat(splits()).isGreaterThan(10);

        mysql.execute("SET GLOBAL mysql_pq_enabled = OFF");
        assertOneSplit("DISABLED");
        assertFailsWithExtensionMode("mysql_pq_enabled");

        mysql.execute("SET GLOBAL mysql_pq_enabled = ON");
        assertThat(splits()).isGreaterThan(10);

        mysql.execute("UNINSTALL PLUGIN mysql_pq");
        assertOneSplit("NOT_INSTALLED");
    }

    private void assertOneSplit(String cause)
            throws Exception
    {
        long before = fallbacks(cause);
        assertThat(splits()).isEqualTo(1);
        assertThat(fallbacks(cause)).isEqualTo(before + 1);
    }

    private long splits()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.runner().getDefaultSession(), "SELECT sum(n) FROM numbers");
        assertThat(result.result().getOnlyValue()).isEqualTo(20_000L * 20_001 / 2);
        return trino.count(result.queryId(), SPLITS_READ);
    }

    private void assertFailsWithExtensionMode(String wayOut)
    {
        assertThatThrownBy(() -> trino.execute(trino.session(ImmutableMap.of("range_source", "EXTENSION")), "SELECT sum(n) FROM numbers"))
                .isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("test.numbers")
                .hasMessageContaining("PRIMARY")
                .hasMessageContaining(wayOut)
                .hasMessageContaining("set range_source to AUTO");
    }

    private static long fallbacks(String cause)
            throws Exception
    {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        // One bean for each node of the test's cluster; the coordinator plans.
        long count = 0;
        for (ObjectName bean : beans.queryNames(new ObjectName("*:type=FallbackReporter,*"), null)) {
            String counts = (String) beans.getAttribute(bean, "Counts");
            count += Long.parseLong(Splitter.on(", ").withKeyValueSeparator('=').split(counts).get(cause));
        }
        return count;
    }
}
