package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.WrongAnswer;
import io.trino.Session;
import io.trino.spi.security.Identity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStore.PasswordProtection;
import java.security.KeyStore.SecretKeyEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_BY_OTHER_QUERY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Logs in with what a query brings along or a file says, in sessions of every kind. */
@TestInstance(PER_CLASS)
class TestCredentials
{
    private static final String KEY_STORE_PASSWORD = "keine Birne";

    private MysqlServer mysql;

    @TempDir
    private Path folder;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n FROM s",
                "CREATE TABLE test.hers (k BIGINT PRIMARY KEY)",
                "CREATE USER anna IDENTIFIED BY 'apfel'",
                "CREATE USER bert IDENTIFIED BY 'birne'",
                "CREATE USER tls IDENTIFIED BY 'kirsche' REQUIRE SSL",
                "GRANT ALL ON test.* TO anna",
                "GRANT SELECT, PROCESS ON *.* TO tls",
                "GRANT ALL ON test.* TO tls",
                "GRANT SELECT ON test.t TO bert",
                "ANALYZE TABLE test.t");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    // How many connections each account has had is counted from here on.
    @BeforeEach
    void forgetAccounts()
    {
        mysql.execute("TRUNCATE TABLE test.hers", "TRUNCATE TABLE performance_schema.accounts");
    }

    @Test
    void testExtraCredentials()
            throws Exception
    {
        try (TestingTrino trino = new TestingTrino(mysql, "nobody", ImmutableMap.of(
                "user-credential-name", "mysql_user",
                "password-credential-name", "mysql_password",
                "mysql.auto-reconnect", "false",
                "metadata.cache-ttl", "1h",
                "range-source", "EXTENSION",
                "target-rows-per-split", "1000",
                "native-aggregation-enabled", "false"))) {
            Session anna = session(trino, "anna", "apfel");
            Session bert = session(trino, "bert", "birne");
            var read = trino.executeWithPlan(anna, "SELECT sum(v) FROM t WHERE v % 2 = 0");
            assertThat(trino.count(read.queryId(), "splitsRead")).isGreaterThan(1);
            trino.execute(anna, "INSERT INTO hers VALUES (1), (2)");
            trino.execute(anna, "UPDATE hers SET k = k + 10 WHERE k % 2 = 0");
            trino.execute(anna, "CALL system.execute('DELETE FROM test.hers WHERE k = 1')");
            assertThat(trino.execute(anna, "SELECT k FROM TABLE(system.query('SELECT k FROM test.hers'))").getOnlyValue()).isEqualTo(12L);
            assertThat(trino.execute(anna, "SHOW TABLES").getOnlyColumnAsSet()).containsExactlyInAnyOrder("t", "hers");
            assertThat(accounts()).containsExactly("anna");
            // Nothing that anna may see comes to bert out of a cache or a pool.
            assertThat(trino.execute(bert, "SELECT count(*) FROM t WHERE v % 2 = 0").getOnlyValue()).isEqualTo(10_000L);
            assertThat(trino.execute(bert, "SHOW TABLES").getOnlyColumnAsSet()).containsExactly("t");
            assertThatThrownBy(() -> trino.execute(bert, "SELECT * FROM hers")).hasMessageContaining("hers");
            assertThatThrownBy(() -> trino.execute(bert, "DELETE FROM t WHERE v % 2 = 0")).hasMessageContaining("denied");
            assertThat(accounts()).containsExactly("anna", "bert");
            // Nor a snapshot, which MySQL would not lend him, nor what she read in one. For one split nothing is asked in it before the rows are read.
            for (String parallel : List.of("false", "true")) {
                List<Boolean> readByOthers = new ArrayList<>();
                for (Session session : List.of(anna, bert, anna)) {
                    Session grouped = Session.builder(session)
                            .setIdentity(Identity.forUser("pipeline").withExtraCredentials(session.getIdentity().getExtraCredentials()).build())
                            .setCatalogSessionProperty("mysql_pq", "snapshot_group", "both")
                            .setCatalogSessionProperty("mysql_pq", "parallel_reads_enabled", parallel)
                            .build();
                    var sum = trino.executeWithPlan(grouped, "SELECT sum(v) FROM t WHERE v % 2 = 0");
                    assertThat(sum.result().getOnlyValue()).isEqualTo(100_010_000L);
                    readByOthers.add(trino.count(sum.queryId(), READ_BY_OTHER_QUERY) > 0);
                }
                WrongAnswer.unless(() -> assertThat(readByOthers).as("whether anna, bert and anna again got what another query had read").containsExactly(false, false, true));
            }
            assertThatThrownBy(() -> trino.execute(session(trino, "anna", "wrong"), "SELECT * FROM t")).hasMessageContaining("Access denied");
        }
    }

    private static Session session(TestingTrino trino, String user, String password)
    {
        return Session.builder(trino.runner().getDefaultSession())
                .setIdentity(Identity.forUser(user).withExtraCredentials(ImmutableMap.of("mysql_user", user, "mysql_password", password)).build())
                .build();
    }

    @Test
    void testCredentialFile()
            throws Exception
    {
        Path file = Files.writeString(folder.resolve("credentials.properties"), "connection-user=anna\nconnection-password=apfel\n");
        try (TestingTrino trino = new TestingTrino(Map.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "credential-provider.type", "FILE",
                "connection-credential-file", file.toString(),
                "target-rows-per-split", "1000"))) {
            assertThat(trino.execute("SELECT count(*) FROM t WHERE v % 2 = 0").getOnlyValue()).isEqualTo(10_000L);
            assertThat(accounts()).containsExactly("anna");
        }
    }

    /** No query fails while the account gets one password after another, of which MySQL takes the newest two. */
    @Test
    void testPasswordThatChanges()
            throws Exception
    {
        mysql.execute("CREATE USER rotated IDENTIFIED BY 'first'", "GRANT ALL ON test.* TO rotated");
        Path file = writeCredentials("first");
        try (TestingTrino trino = new TestingTrino(ImmutableMap.<String, String>builder()
                .put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                .put("credential-provider.type", "FILE")
                .put("connection-credential-file", file.toString())
                .put("target-rows-per-split", "1000")
                .put("native-aggregation-enabled", "false")
                .put("read-reuse-enabled", "false")
                .buildOrThrow())) {
            AtomicBoolean stopped = new AtomicBoolean();
            List<CompletableFuture<Long>> readers = IntStream.range(0, 3).mapToObj(_ -> Background.supply(() -> readUntil(stopped, trino))).toList();
            for (int password = 0; password < 20; password++) {
                mysql.execute("ALTER USER rotated IDENTIFIED BY 'password %s' RETAIN CURRENT PASSWORD".formatted(password));
                writeCredentials("password " + password);
                trino.execute("INSERT INTO hers VALUES (%s)".formatted(password));
                // The next change ends the password of before this one. Whoever is about to log in has that.
                Thread.sleep(200);
            }
            stopped.set(true);
            assertThat(readers.stream().mapToLong(CompletableFuture::join)).allMatch(queries -> queries > 2);
            // A file that is half written, or gone, changes nothing.
            Files.writeString(file, "connection-user=rotated\n");
            assertThat(trino.execute("SELECT count(*) FROM hers").getOnlyValue()).isEqualTo(20L);
            Files.delete(file);
            assertThat(trino.execute("SELECT count(*) FROM hers").getOnlyValue()).isEqualTo(20L);
            assertThat(accounts()).containsExactly("rotated");
        }
    }

    private Path writeCredentials(String password)
            throws IOException
    {
        Path written = Files.writeString(folder.resolve("written.properties"), "connection-user=rotated\nconnection-password=%s\n".formatted(password));
        return Files.move(written, folder.resolve("rotated.properties"), ATOMIC_MOVE, REPLACE_EXISTING);
    }

    private static long readUntil(AtomicBoolean stopped, TestingTrino trino)
    {
        long queries = 0;
        while (!stopped.get()) {
            assertThat(trino.execute("SELECT count(*) FROM t WHERE v % 2 = 0").getOnlyValue()).isEqualTo(10_000L);
            queries++;
        }
        return queries;
    }

    @Test
    void testKeyStore()
            throws Exception
    {
        KeyStore keys = KeyStore.getInstance("JCEKS");
        keys.load(null, null);
        putSecret(keys, "user", "anna");
        putSecret(keys, "password", "apfel");
        Path file = folder.resolve("credentials.jceks");
        try (OutputStream stream = Files.newOutputStream(file)) {
            keys.store(stream, KEY_STORE_PASSWORD.toCharArray());
        }
        try (TestingTrino trino = new TestingTrino(ImmutableMap.<String, String>builder()
                .put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                .put("credential-provider.type", "KEYSTORE")
                .put("keystore-type", "JCEKS")
                .put("keystore-file-path", file.toString())
                .put("keystore-password", KEY_STORE_PASSWORD)
                .put("keystore-user-credential-name", "user")
                .put("keystore-user-credential-password", KEY_STORE_PASSWORD)
                .put("keystore-password-credential-name", "password")
                .put("keystore-password-credential-password", KEY_STORE_PASSWORD)
                .put("target-rows-per-split", "1000")
                .put("native-aggregation-enabled", "false")
                .buildOrThrow())) {
            var read = trino.executeWithPlan(trino.session(ImmutableMap.of()), "SELECT count(*) FROM t WHERE v % 2 = 0");
            assertThat(trino.count(read.queryId(), "splitsRead")).isGreaterThan(1);
            assertThat(accounts()).containsExactly("anna");
        }
    }

    private static void putSecret(KeyStore keys, String name, String secret)
            throws Exception
    {
        SecretKey key = SecretKeyFactory.getInstance("PBE").generateSecret(new PBEKeySpec(secret.toCharArray()));
        keys.setEntry(name, new SecretKeyEntry(key), new PasswordProtection(KEY_STORE_PASSWORD.toCharArray()));
    }

    // MySQL refuses this account without encryption.
    @Test
    void testTls()
            throws Exception
    {
        Map<String, String> properties = ImmutableMap.of("connection-user", "tls", "connection-password", "kirsche", "mysql.auto-reconnect", "false", "target-rows-per-split", "1000", "native-aggregation-enabled", "false");
        try (TestingTrino trino = new TestingTrino(ImmutableMap.<String, String>builder().putAll(properties).put("connection-url", mysql.jdbcUrl() + "?sslMode=REQUIRED").buildOrThrow())) {
            var read = trino.executeWithPlan(trino.session(ImmutableMap.of()), "SELECT count(*) FROM t WHERE v % 2 = 0");
            assertThat(trino.count(read.queryId(), "splitsRead")).isGreaterThan(1);
            trino.execute("INSERT INTO hers VALUES (100)");
            assertThat(trino.execute("SELECT v <> '' FROM TABLE(system.query('SELECT variable_value AS v FROM performance_schema.session_status WHERE variable_name = ''Ssl_cipher'''))").getOnlyValue()).isEqualTo(true);
        }
        try (TestingTrino trino = new TestingTrino(ImmutableMap.<String, String>builder().putAll(properties).put("connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true").buildOrThrow())) {
            assertThatThrownBy(() -> trino.execute("SELECT count(*) FROM t")).hasMessageContaining("Access denied");
        }
    }

    // Those that have connected, but for this test itself.
    private Set<String> accounts()
    {
        return new TreeSet<>(mysql.values("SELECT user FROM performance_schema.accounts WHERE user NOT IN ('root', 'event_scheduler') AND total_connections > 0"));
    }
}
