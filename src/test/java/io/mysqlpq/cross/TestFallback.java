package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.lang.management.ManagementFactory;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests reading without the extension: a right answer in one split, or a clear error where ranges are demanded.
 */
@TestInstance(PER_CLASS)
class TestFallback
{
    private static final int ROWS = 20_000;
    private static final String QUERY = "SELECT count(*), sum(k), count(DISTINCT v) FROM mysql_pq.s.t WHERE v LIKE '%x%'";

    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(
            MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start(),
            Map.of(
                    "extension-probe-ttl", "1ms",
                    // Rows have to be read, because the test counts their splits.
                    "aggregation-pushdown.enabled", "false"));

    @BeforeEach
    void createTable()
    {
        cluster.mysql().execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v VARCHAR(100))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, CONCAT('x', REPEAT(LEFT(SHA2(i, 256), 32), 3)) FROM s".formatted(ROWS));
    }

    @Test
    void testExtensionPresent()
    {
        assertThat(splits("AUTO")).isGreaterThan(4);
        assertThat(splits("EXTENSION")).isGreaterThan(4);
        assertThat(splits("NONE")).isEqualTo(1);
    }

    @Test
    void testExtensionAbsent()
            throws JMException
    {
        uninstall();
        assertCountedFallback("NotInstalledCount");
        assertFails("INSTALL PLUGIN mysql_pq");
        cluster.mysql().execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        assertThat(splits("AUTO")).isGreaterThan(4);
    }

    // MySQL refuses while a snapshot lives, which Trino ends a little after its query.
    private void uninstall()
    {
        Await.until("the extension is not in use", () -> {
            try {
                cluster.mysql().execute("UNINSTALL PLUGIN mysql_pq");
                return true;
            }
            catch (IllegalStateException e) {
                assertThat(MysqlRows.read(cluster.mysql(), "SELECT plugin_name FROM information_schema.plugins")).contains("mysql_pq");
                return false;
            }
        });
    }

    @Test
    void testExtensionDisabled()
            throws JMException
    {
        cluster.mysql().execute("SET GLOBAL mysql_pq_enabled = OFF");
        assertCountedFallback("DisabledCount");
        assertFails("mysql_pq_enabled");
        cluster.mysql().execute("SET GLOBAL mysql_pq_enabled = ON");
        assertThat(splits("AUTO")).isGreaterThan(4);
    }

    @Test
    void testKeyWithoutEncoding()
    {
        // A collation that is no order.
        cluster.mysql().execute(
                "ALTER TABLE s.t ADD c VARCHAR(20) CHARACTER SET gb18030 COLLATE gb18030_chinese_ci NOT NULL",
                "UPDATE s.t SET c = k",
                "ALTER TABLE s.t DROP PRIMARY KEY, ADD PRIMARY KEY (c)");
        assertThat(splits("AUTO")).isEqualTo(1);
        assertFails("s.t");
    }

    @Test
    void testNoPrimaryKey()
    {
        cluster.mysql().execute("ALTER TABLE s.t DROP PRIMARY KEY");
        assertThat(splits("AUTO")).isGreaterThan(4);
        // No SQL can tell a range of row ids.
        assertThat(splits(Map.of("native_scan_enabled", "false"))).isEqualTo(1);
    }

    private void assertFails(String wayOut)
    {
        assertThatThrownBy(() -> cluster.trino().execute(cluster.session(Map.of("range_source", "EXTENSION")), QUERY))
                .hasMessageContaining("s.t")
                .hasMessageContaining(wayOut)
                .hasMessageContaining("set range_source to AUTO");
    }

    private void assertCountedFallback(String attribute)
            throws JMException
    {
        long before = fallbacks(attribute);
        assertThat(splits("AUTO")).isEqualTo(1);
        assertThat(fallbacks(attribute)).isEqualTo(before + 1);
    }

    // As an operator sees it. Each node of the test's cluster has a bean, and the coordinator plans.
    private static long fallbacks(String attribute)
            throws JMException
    {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        long count = 0;
        for (ObjectName bean : beans.queryNames(new ObjectName("*:type=FallbackReporter,*"), null)) {
            count += (long) beans.getAttribute(bean, attribute);
        }
        return count;
    }

    private long splits(String rangeSource)
    {
        return splits(Map.of("range_source", rangeSource));
    }

    // Checks the answer too.
    private long splits(Map<String, String> properties)
    {
        MaterializedResultWithPlan result = cluster.trino().executeWithPlan(cluster.session(properties), QUERY);
        assertThat(result.result().getMaterializedRows()).hasSize(1);
        assertThat(result.result().getMaterializedRows().getFirst().getField(0)).isEqualTo((long) ROWS);
        assertThat(String.valueOf(result.result().getMaterializedRows().getFirst().getField(1))).startsWith(String.valueOf(ROWS * (ROWS + 1L) / 2));
        assertThat(result.result().getMaterializedRows().getFirst().getField(2)).isEqualTo((long) ROWS);
        return cluster.scanCount(result.queryId(), "splitsRead");
    }
}
