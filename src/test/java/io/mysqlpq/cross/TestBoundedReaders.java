package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.MysqlPqPlugin;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads faster than anyone takes the rows: readers hold little, tell Trino of it, and are in nobody's way. */
@TestInstance(PER_CLASS)
class TestBoundedReaders
{
    private static final String READERS = "/*mysql_pq % user=slow split=%";
    // More than Trino's client keeps, which is 50,000.
    private static final int ROWS = 200_000;
    private static final long TABLE_BYTES = ROWS * 300L;
    private static final long LARGE_VALUE = 4_000_000;
    private static final long LARGE_VALUES = 50;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private MysqlServer mysql;
    private DistributedQueryRunner trino;

    @BeforeAll
    void start()
            throws Exception
    {
        // Instead of the minute that it is by default.
        mysql = MysqlServer.builder().extension(true).option("net-write-timeout", "1").option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, w INT NOT NULL, v VARCHAR(300) NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT i, 0, REPEAT(CHAR(97 + i %% 26), 300) FROM s".formatted(ROWS),
                "CREATE TABLE s.large (k INT PRIMARY KEY, v LONGBLOB NOT NULL)",
                "INSERT INTO s.large SELECT k, REPEAT('v', %s) FROM s.t WHERE k <= %s".formatted(LARGE_VALUE, LARGE_VALUES),
                "ANALYZE TABLE s.t, s.large");
        Leftovers.installRegistryTable(mysql);
        // These buffers are so small that MySQL soon has to wait for a client that takes no rows.
        trino = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("s").build())
                .setWorkerCount(0)
                .addExtraProperty("sink.max-buffer-size", "1MB")
                .build();
        trino.installPlugin(new MysqlPqPlugin());
        trino.createCatalog("mysql_pq", "mysql_pq", Map.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "range-source", "EXTENSION",
                "target-rows-per-split", String.valueOf(ROWS / 2)));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "false, false"})
    void testSlowConsumer(boolean natively, boolean packets)
            throws SQLException
    {
        try (Connection slow = trinoConnection(natively, packets); Statement statement = slow.createStatement(); ResultSet rows = statement.executeQuery("SELECT k, w, v FROM t")) {
            assertThat(rows.next()).isTrue();
            // How many there are depends on what earlier changes left behind in the table, and on how much of a range fits into buffers.
            Await.until("a reader runs", LIMIT, () -> running(READERS) > 0);
            // MySQL ends another client that stalls, after its net_write_timeout. (The driver would ask for a longer one.)
            try (Connection impatient = DriverManager.getConnection(mysql.jdbcUrl() + "/?sslMode=DISABLED&allowPublicKeyRetrieval=true&netTimeoutForStreamingResults=0", "root", "");
                    Statement streaming = impatient.createStatement()) {
                streaming.setFetchSize(Integer.MIN_VALUE);
                try (ResultSet unread = streaming.executeQuery("SELECT /* impatient */ * FROM s.t")) {
                    unread.next();
                    Await.until("MySQL has ended a client that stalls", LIMIT, () -> running("SELECT /* impatient */%") == 0);
                    impatient.abort(Runnable::run);
                }
                catch (SQLException e) {
                    // MySQL has ended it.
                }
            }
            assertThat(running(READERS)).isPositive();
            // All pages of the table are changed, some of them split, whoever reads them.
            mysql.execute(
                    "SET SESSION innodb_lock_wait_timeout = 5",
                    "UPDATE s.t SET w = w + 1",
                    "INSERT INTO s.t SELECT k + %1$d, 1, v FROM s.t WHERE k %% 7 = 0".formatted(ROWS),
                    "DELETE FROM s.t WHERE k > %d".formatted(ROWS));
            assertThat(running(READERS)).isPositive();
            // All rows are as they were at the beginning.
            int before = rows.getInt(2);
            int count = 1;
            while (rows.next()) {
                assertThat(rows.getInt(2)).isEqualTo(before);
                count++;
            }
            assertThat(count).isEqualTo(ROWS);
        }
    }

    private Connection trinoConnection(boolean natively, boolean packets)
            throws SQLException
    {
        Properties properties = new Properties();
        properties.setProperty("user", "slow");
        properties.setProperty("sessionProperties", "mysql_pq.native_scan_enabled:%s;mysql_pq.packet_decoding_enabled:%s".formatted(natively, packets));
        return DriverManager.getConnection("jdbc:trino://127.0.0.1:%d/mysql_pq/s".formatted(trino.getCoordinator().getBaseUrl().getPort()), properties);
    }

    // Statements that run, and begin so.
    private int running(String statement)
    {
        return MysqlRows.read(mysql, "SELECT id FROM performance_schema.processlist WHERE info LIKE '%s'".formatted(statement)).size();
    }

    /** As Trino counts it, of the operator that holds the reader. */
    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "false, false"})
    void testMemoryOfRows(boolean natively, boolean packets)
    {
        // A page of it at least, and never the table.
        assertThat(memoryOfScan(session(natively, packets).setCatalogSessionProperty("mysql_pq", "native_aggregation_enabled", "false").build(), "SELECT max(length(v)), count(*) FROM t WHERE w >= 0")).isBetween(100_000L, TABLE_BYTES / 3);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "false, false"})
    void testMemoryOfLargeValues(boolean natively, boolean packets)
    {
        String sql = "SELECT max(length(v)), count(*) FROM large";
        assertThat(trino.execute(session(natively, packets).build(), sql).getMaterializedRows().getFirst().getFields()).containsExactly(LARGE_VALUE, LARGE_VALUES);
        // A value or some on their way through each of two readers, and never the table.
        assertThat(memoryOfScan(session(natively, packets).build(), sql)).isBetween(LARGE_VALUE, 10 * LARGE_VALUE);
    }

    /** What readers tell Trino of is what ends a query that takes more than it may. */
    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "false, false"})
    void testLimitOfMemory(boolean natively, boolean packets)
    {
        Session little = session(natively, packets).setSystemProperty("query_max_memory_per_node", "1MB").build();
        assertThatThrownBy(() -> trino.execute(little, "SELECT max(length(v)) FROM large")).hasMessageContaining("Query exceeded per-node memory limit of 1MB");
        Leftovers.assertNone(mysql);
    }

    private Session.SessionBuilder session(boolean natively, boolean packets)
    {
        return Session.builder(trino.getDefaultSession())
                .setCatalogSessionProperty("mysql_pq", "native_scan_enabled", String.valueOf(natively))
                .setCatalogSessionProperty("mysql_pq", "packet_decoding_enabled", String.valueOf(packets));
    }

    @Test
    void testMemoryOfMergedGroups()
    {
        Session session = Session.builder(trino.getDefaultSession())
                .setCatalogSessionProperty("mysql_pq", "native_scan_enabled", "false")
                .setCatalogSessionProperty("mysql_pq", "target_rows_per_split", String.valueOf(ROWS / 8))
                .build();
        // 60,000 groups with a key and a count each.
        assertThat(memoryOfScan(session, "SELECT k % 20000, c FROM (SELECT w + k % 60000 AS k, count(*) AS c FROM t GROUP BY w + k % 60000)")).isBetween(100_000L, TABLE_BYTES / 3);
    }

    private long memoryOfScan(Session session, String sql)
    {
        QueryId query = trino.executeWithPlan(session, sql).queryId();
        return trino.getCoordinator().getFullQueryInfo(query).getQueryStats().getOperatorSummaries().stream()
                .filter(operator -> operator.getOperatorType().contains("Scan"))
                .mapToLong(operator -> operator.getPeakUserMemoryReservation().toBytes())
                .max()
                .orElseThrow();
    }
}
