package io.mysqlpq.trino;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.Certificates.ServerCertificate;
import io.mysqlpq.trino.connection.ConnectionConfig;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.connection.TestingConnections;
import io.trino.plugin.jdbc.credential.StaticCredentialProvider;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.Iterables.getOnlyElement;
import static com.mysql.cj.exceptions.MysqlErrorNumbers.ER_NO_SUCH_THREAD;
import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Connects with {@code sslMode=VERIFY_IDENTITY} to a server with the right certificate, and with wrong ones. */
@TestInstance(PER_CLASS)
class TestTls
{
    private static final long ROWS = 20_000;
    private static final long SUM_OF_EVEN = 100_010_000;
    private static final String SUM = "SELECT sum(v) FROM t WHERE v % 2 = 0";

    // Metadata, planning, splits, writes, SQL of the user.
    private static final List<String> STATEMENTS = List.of(
            "SHOW TABLES",
            SUM,
            "EXPLAIN " + SUM,
            "SELECT count(*) FROM t",
            "INSERT INTO written VALUES (1)",
            "CALL system.execute('DELETE FROM test.written')",
            "SELECT * FROM TABLE(system.query('SELECT k FROM test.written'))");

    enum Wrong
    {
        // The trusted authority has issued it for another server.
        MISNAMED,
        // In the right name, of an authority that is not trusted.
        FOREIGN
    }

    private final Map<Wrong, ServerCertificate> wrong = new EnumMap<>(Wrong.class);
    private ServerCertificate right;
    private MysqlServer mysql;
    private String url;

    @BeforeAll
    void start(@TempDir Path folder)
    {
        Certificates certificates = new Certificates(folder);
        Path trusted = certificates.authority("trusted");
        right = certificates.issue("trusted", "right", "ip:127.0.0.1");
        wrong.put(Wrong.MISNAMED, certificates.issue("trusted", "misnamed", "dns:elsewhere.example,ip:127.0.0.2"));
        certificates.authority("unknown");
        wrong.put(Wrong.FOREIGN, certificates.issue("unknown", "foreign", "ip:127.0.0.1"));
        mysql = MysqlServer.builder().extension(true).start();
        serve(right);
        url = "%s?sslMode=VERIFY_IDENTITY&trustCertificateKeyStoreUrl=%s&trustCertificateKeyStoreType=PKCS12&trustCertificateKeyStorePassword=%s"
                .formatted(mysql.jdbcUrl(), trusted.toUri(), Certificates.STORE_PASSWORD);
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n, n FROM s".formatted(ROWS),
                "CREATE TABLE test.written (k BIGINT PRIMARY KEY)",
                "CREATE USER tls IDENTIFIED BY 'kirsche' REQUIRE SSL",
                "GRANT ALL ON test.* TO tls",
                "GRANT PROCESS ON *.* TO tls",
                "ANALYZE TABLE test.t");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    private void serve(ServerCertificate certificate)
    {
        mysql.execute(
                "SET GLOBAL ssl_ca = '%s', GLOBAL ssl_cert = '%s', GLOBAL ssl_key = '%s'".formatted(certificate.authority(), certificate.certificate(), certificate.key()),
                "ALTER INSTANCE RELOAD TLS");
    }

    // From here on it is counted who logs in.
    private void endSessions()
    {
        for (String id : sessions()) {
            kill(id);
        }
        Await.until("sessions have ended", () -> sessions().isEmpty());
        mysql.execute("TRUNCATE TABLE performance_schema.accounts");
    }

    private void kill(String session)
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            statement.execute("KILL " + session);
        }
        catch (SQLException e) {
            // It may have ended by itself meanwhile.
            assertThat(e.getErrorCode()).isEqualTo(ER_NO_SUCH_THREAD);
        }
    }

    private List<String> sessions()
    {
        return mysql.values("SELECT id FROM information_schema.processlist WHERE user = 'tls'");
    }

    private List<String> logins()
    {
        return mysql.values("SELECT total_connections FROM performance_schema.accounts WHERE user = 'tls'");
    }

    // A certificate that is refused is not tried again, however long a connection may be waited for.
    private TestingTrino trino(String connectionWaitTimeout)
            throws Exception
    {
        return new TestingTrino(ImmutableMap.<String, String>builder()
                .put("connection-url", url)
                .put("connection-user", "tls")
                .put("connection-password", "kirsche")
                .put("target-rows-per-split", "1000")
                .put("metadata.cache-ttl", "1h")
                .put("connection-wait-timeout", connectionWaitTimeout)
                .put("mysql.auto-reconnect", "false")
                .buildOrThrow());
    }

    @Test
    void testRightCertificate()
            throws Exception
    {
        serve(right);
        try (TestingTrino trino = trino("30s")) {
            // By batches of the extension, by packets past the driver, and by the driver's own rows.
            for (Map<String, String> properties : List.of(
                    Map.of("native_aggregation_enabled", "false"),
                    Map.of("native_scan_enabled", "false", "aggregation_pushdown_enabled", "false"),
                    Map.of("native_scan_enabled", "false", "aggregation_pushdown_enabled", "false", "packet_decoding_enabled", "false"))) {
                var read = trino.executeWithPlan(trino.session(properties), SUM);
                assertThat(read.result().getOnlyValue()).isEqualTo(SUM_OF_EVEN);
                assertThat(trino.count(read.queryId(), "splitsRead")).isGreaterThan(1);
            }
            STATEMENTS.forEach(trino::execute);
            assertThat(mysql.values("SELECT DISTINCT connection_type FROM performance_schema.threads WHERE processlist_user = 'tls'")).containsExactly("SSL/TLS");
        }
    }

    @ParameterizedTest
    @EnumSource
    void testWrongCertificate(Wrong which)
            throws Exception
    {
        serve(wrong.get(which));
        endSessions();
        try (TestingTrino trino = trino("1h")) {
            for (String statement : which == Wrong.MISNAMED ? STATEMENTS : List.of(SUM)) {
                assertRefused(statement, catchThrowable(() -> trino.execute(statement)));
            }
            assertThat(logins()).isEmpty();
        }
    }

    // What is known of tables, the extension and snapshots lets a query come as far as it can.
    @Test
    void testCertificateChangesBetweenQueries()
            throws Exception
    {
        serve(right);
        try (TestingTrino trino = trino("1h")) {
            assertThat(trino.execute(SUM).getOnlyValue()).isEqualTo(SUM_OF_EVEN);
            serve(wrong.get(Wrong.MISNAMED));
            endSessions();
            for (String statement : List.of(SUM, "INSERT INTO written VALUES (1)")) {
                assertRefused(statement, catchThrowable(() -> trino.execute(statement)));
            }
            assertThat(refusedWaits()).isZero();
            assertThat(logins()).isEmpty();
            serve(right);
            assertThat(trino.execute(SUM).getOnlyValue()).isEqualTo(SUM_OF_EVEN);
        }
    }

    private static long refusedWaits()
            throws JMException
    {
        MBeanServer beans = getPlatformMBeanServer();
        return (long) beans.getAttribute(getOnlyElement(beans.queryNames(new ObjectName("*:type=ConnectionPools,name=mysql_pq,*"), null)), "Refused");
    }

    // As it would be between two splits of one query.
    @ParameterizedTest
    @EnumSource
    void testCertificateChangesBetweenSplits(Wrong which)
            throws Exception
    {
        serve(right);
        ConnectionConfig config = TestingConnections.config(10, new Duration(1, MINUTES))
                .setTableLockTimeout(new Duration(5, SECONDS))
                .setConnectionQueueTimeout(new Duration(5, SECONDS))
                .setConnectionWaitTimeout(new Duration(1, HOURS))
                .setPlanningTimeout(new Duration(5, SECONDS));
        ConnectionPools pools = TestingConnections.pools(url, config, StaticCredentialProvider.of("tls", "kirsche"));
        try (PooledConnection first = pools.open(TestingConnectorSession.SESSION)) {
            serve(wrong.get(which));
            assertRefused("a second connection", catchThrowable(() -> pools.open(TestingConnectorSession.SESSION)));
            assertThat(first.connection().isClosed()).isFalse();
        }
        finally {
            pools.close();
        }
    }

    // Whoever connects: planning, reading, metadata and writes.
    @Test
    void testTrustStoreThatIsMissing()
            throws Exception
    {
        serve(right);
        String missing = url.replaceFirst("trustCertificateKeyStoreUrl=[^&]*", "trustCertificateKeyStoreUrl=file:/nowhere.p12");
        try (TestingTrino trino = new TestingTrino(ImmutableMap.of("connection-url", missing, "connection-user", "tls", "connection-password", "kirsche", "connection-wait-timeout", "1h"))) {
            for (String statement : List.of(SUM, "SELECT * FROM TABLE(system.doctor())")) {
                assertThatThrownBy(() -> trino.execute(statement)).as(statement).hasMessageContaining("TLS cannot be set up: ").hasMessageContaining("nowhere.p12");
            }
        }
    }

    private static void assertRefused(String what, Throwable failure)
    {
        assertThat(failure).as(what).isNotNull().hasMessageContaining("TLS refuses MySQL's certificate: ").hasMessageContaining("Check sslMode and the trust store");
        // Trino's client knows classes of causes by their names only.
        assertThat(Throwables.getStackTraceAsString(failure)).as(what).contains("java.security.cert.Cert");
    }
}
