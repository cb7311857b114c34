package io.mysqlpq.trino;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.TrinoPage;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Looks for passwords in logs, plans, query info, JMX, thread names and errors while queries of all kinds run, and fail to log in. */
@TestInstance(PER_CLASS)
class TestSecrets
{
    private static final String PASSWORD = "Passwort-von-anna-4711";
    private static final String WRONG_PASSWORD = "Passwort-von-niemand-4712";
    private static final String STORE_PASSWORD = "Passwort-des-Speichers-4713";

    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).option("performance-schema-consumer-events-statements-history-long", "ON").start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n FROM s",
                "CREATE TABLE test.written (k BIGINT PRIMARY KEY)",
                "CREATE USER anna IDENTIFIED BY '%s'".formatted(PASSWORD),
                "GRANT ALL ON *.* TO anna",
                "ANALYZE TABLE test.t",
                "TRUNCATE TABLE performance_schema.events_statements_history_long");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    // A URL may hold passwords too: of stores of keys, or the account's.
    private String url()
    {
        return "%s?sslMode=PREFERRED&allowPublicKeyRetrieval=true&clientCertificateKeyStorePassword=%s".formatted(mysql.jdbcUrl(), STORE_PASSWORD);
    }

    @Test
    void testConfiguredPassword()
            throws Exception
    {
        Map<String, String> properties = Map.of("connection-url", url(), "connection-user", "anna", "connection-password", PASSWORD, "target-rows-per-split", "1000");
        // What starts Trino sets levels of its own, so the catalog whose configuration is logged is another one.
        try (TestingTrino trino = new TestingTrino(properties); SecretSearch search = new SecretSearch()) {
            trino.runner().createCatalog("other", "mysql_pq", properties);
            run(trino, trino.runner().getDefaultSession(), search);
            search.addThreads();
            search.addManagedAttributes();
            search.add("statements", statements());
            // Otherwise nothing would have been searched.
            assertThat(search.textsWith("log of com.zaxxer.hikari")).isNotEmpty();
            assertThat(search.textsWith("log of io.mysqlpq")).isNotEmpty();
            assertThat(search.textsWith("attribute: io.mysqlpq")).isNotEmpty();
            assertThat(search.textsWith("\"queryStats\"")).isNotEmpty();
            search.assertNone(PASSWORD, STORE_PASSWORD);
        }
    }

    @Test
    void testPasswordsOfUsers()
            throws Exception
    {
        try (TestingTrino trino = new TestingTrino(ImmutableMap.<String, String>builder()
                .put("connection-url", url())
                .put("user-credential-name", "mysql_user")
                .put("password-credential-name", "mysql_password")
                .put("target-rows-per-split", "1000")
                .put("mysql.auto-reconnect", "false")
                .buildOrThrow());
                SecretSearch search = new SecretSearch()) {
            run(trino, session(trino, PASSWORD), search);
            for (String sql : List.of("SELECT count(*) FROM t", "SHOW TABLES", "INSERT INTO written VALUES (5)", "CALL system.execute('DELETE FROM test.written')")) {
                Throwable failure = catchThrowable(() -> trino.execute(session(trino, WRONG_PASSWORD), sql));
                assertThat(failure).hasMessageContaining("Access denied");
                search.add(sql, failure);
                search.add(sql, queryInfo(trino, ((QueryFailedException) failure).getQueryId().getId()));
            }
            search.addThreads();
            search.addManagedAttributes();
            search.add("statements", statements());
            search.assertNone(PASSWORD, WRONG_PASSWORD, STORE_PASSWORD);
        }
    }

    /** The driver takes accounts in front of the host too. */
    @Test
    void testPasswordBeforeTheHost()
            throws Exception
    {
        Map<String, String> properties = Map.of("connection-url", "%s?sslMode=PREFERRED&allowPublicKeyRetrieval=true".formatted(mysql.jdbcUrl().replace("//", "//anna:%s@".formatted(PASSWORD))));
        try (TestingTrino trino = new TestingTrino(properties); SecretSearch search = new SecretSearch()) {
            trino.runner().createCatalog("other", "mysql_pq", properties);
            assertThat(trino.execute("SELECT count(*) FROM other.test.t").getOnlyValue()).isEqualTo(20_000L);
            search.addThreads();
            search.addManagedAttributes();
            assertThat(search.textsWith("log of io.mysqlpq")).isNotEmpty();
            search.assertNone(PASSWORD);
        }
    }

    private static void run(TestingTrino trino, Session session, SecretSearch search)
            throws Exception
    {
        for (String sql : List.of(
                "SELECT sum(v) FROM t WHERE v % 2 = 0",
                "EXPLAIN SELECT sum(v) FROM t WHERE v % 2 = 0",
                "EXPLAIN ANALYZE VERBOSE SELECT sum(v) FROM t WHERE v % 2 = 0",
                "EXPLAIN (TYPE IO) SELECT * FROM t",
                "SHOW SESSION",
                "SELECT * FROM system.runtime.queries",
                "SELECT * FROM system.metadata.catalogs",
                "SHOW CREATE TABLE t",
                "INSERT INTO written VALUES (1)",
                "CALL system.execute('DELETE FROM test.written')",
                "SELECT * FROM TABLE(system.query('SELECT user, info FROM information_schema.processlist'))")) {
            var result = trino.executeWithPlan(session, sql);
            search.add(sql, result.result().getMaterializedRows());
            search.add(sql, queryInfo(trino, result.queryId().getId()));
        }
        for (String sql : List.of("SELECT * FROM nowhere", "SELECT * FROM TABLE(system.query('SELECT nonsense'))", "INSERT INTO written VALUES (1), (1)", "CALL system.execute('nonsense')")) {
            Throwable failure = catchThrowable(() -> trino.execute(session, sql));
            assertThat(failure).as(sql).isNotNull();
            search.add(sql, failure);
        }
        // Cut off within a range.
        Session patient = Session.builder(session).setCatalogSessionProperty(TestingTrino.CATALOG, "native_scan_enabled", "false").build();
        search.add("limit", trino.execute(patient, "SELECT k FROM t LIMIT 3"));
    }

    private static Session session(TestingTrino trino, String password)
    {
        return Session.builder(trino.runner().getDefaultSession())
                .setIdentity(Identity.forUser("user").withExtraCredentials(Map.of("mysql_user", "anna", "mysql_password", password)).build())
                .build();
    }

    // What Trino's web interface shows.
    private static String queryInfo(TestingTrino trino, String query)
            throws IOException
    {
        return withoutCatalogs(TrinoPage.read(trino.runner().getCoordinator().getBaseUrl().resolve("/v1/query/" + query)));
    }

    // Trino itself tells properties of catalogs that it could change while it runs, as this test's are: see docs/security.md.
    private static String withoutCatalogs(String info)
            throws IOException
    {
        JsonNode tree = new ObjectMapper().readTree(info);
        tree.findParents("activeCatalogs").forEach(fragment -> ((ObjectNode) fragment).remove("activeCatalogs"));
        return tree.toString();
    }

    // What MySQL's administrator sees of them.
    private String statements()
    {
        String statements = String.join("\n", mysql.values("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text NOT LIKE 'CREATE USER%'"));
        assertThat(statements).contains("mysql_pq_ranges");
        return statements;
    }
}
