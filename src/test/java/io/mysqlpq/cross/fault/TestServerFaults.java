package io.mysqlpq.cross.fault;

import io.mysqlpq.cross.Leftovers;
import io.mysqlpq.cross.MysqlRows;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests what queries make of a server that dies, is full, or whose administrator ends sessions and changes accounts. */
class TestServerFaults
        extends BaseFaultTest
{
    private static final String NARROW = "narrow";
    private static final String ANNAS = "annas";

    TestServerFaults()
    {
        // Smaller than the tables: native scans read ahead.
        super(MysqlServer.builder().option("innodb-buffer-pool-size", "24M"));
    }

    @BeforeAll
    void createCatalogs()
    {
        mysql.execute("CREATE USER anna IDENTIFIED BY 'apfel'", "GRANT SELECT ON s.* TO anna");
        createCatalog(NARROW, Map.of("max-connections-per-node", "1"));
        createCatalog(ANNAS, Map.of("connection-user", "anna", "connection-password", "apfel", "connection-wait-timeout", "4s"));
    }

    @ParameterizedTest
    @EnumSource
    void testKilledServer(ReadPath path)
    {
        CompletableFuture<List<String>> query = startAndHold(path, FAULTY);
        mysql.kill();
        proxy.disarm();
        assertOutcome(Fault.SERVER_KILLED, query, path);
        mysql.restart();
        assertOutcome(Fault.ABORTED_CONNECTIONS, start(path, FAULTY), path);
    }

    @ParameterizedTest
    @EnumSource
    void testKillQueryOfReader(ReadPath path)
    {
        CompletableFuture<List<String>> query = startAndHold(path, FAULTY);
        mysql.execute("KILL QUERY " + reader());
        proxy.disarm();
        assertOutcome(Fault.KILL_QUERY_OF_READER, query, path);
        if (path == ReadPath.NATIVE) {
            assertThat(mysql.status("mysql_pq_readahead_pages_asked")).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void testKillConnectionOfReader(ReadPath path)
    {
        CompletableFuture<List<String>> query = startAndHold(path, FAULTY);
        mysql.execute("KILL CONNECTION " + reader());
        proxy.disarm();
        assertOutcome(Fault.KILL_CONNECTION_OF_READER, query, path);
    }

    // It runs no statement.
    @ParameterizedTest
    @EnumSource(names = {"DRIVER", "PACKETS", "NATIVE", "AGGREGATION", "ROW_IDS"})
    void testKillQueryOfDonor(ReadPath path)
    {
        CompletableFuture<List<String>> query = startAndHold(path, NARROW);
        mysql.execute("KILL QUERY " + donor());
        proxy.disarm();
        assertOutcome(Fault.KILL_QUERY_OF_DONOR, query, path);
    }

    // Readers that have adopted the snapshot keep it, others come too late.
    @ParameterizedTest
    @EnumSource(names = {"DRIVER", "PACKETS", "NATIVE", "AGGREGATION", "ROW_IDS", "GROUP"})
    void testKillConnectionOfDonor(ReadPath path)
    {
        CompletableFuture<List<String>> query = startAndHold(path, NARROW);
        mysql.execute("KILL CONNECTION " + donor());
        proxy.disarm();
        assertOutcome(Fault.KILL_CONNECTION_OF_DONOR, query, path);
        // No later query gets the snapshot that is gone, not even one of its group.
        assertOutcome(Fault.ABORTED_CONNECTIONS, start(path, NARROW), path);
    }

    // Some readers get in, and stand still; the others wait for connection-wait-timeout.
    @Test
    void testMaxConnections()
    {
        ReadPath path = ReadPath.NATIVE;
        assertOutcome(Fault.ABORTED_CONNECTIONS, start(path, ANNAS), path);
        endSessionsOf("anna");
        endSessionsOf("root");
        // One for the snapshot, and some for its readers.
        mysql.execute("SET GLOBAL max_connections = " + (mysql.status("Threads_connected") + 2));
        try {
            assertOutcome(Fault.MAX_CONNECTIONS, startAndHold(path, ANNAS), path);
        }
        finally {
            mysql.execute("SET GLOBAL max_connections = DEFAULT");
        }
        proxy.disarm();
        assertOutcome(Fault.ABORTED_CONNECTIONS, start(path, ANNAS), path);
    }

    @Test
    void testFullTmpdir()
    {
        try (TinyDisk disk = new TinyDisk(4);
                MysqlServer small = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start()) {
            ReadPath.createTable(small, 1);
            small.restart("--tmpdir=" + disk.folder());
            createCatalog("small", Map.of("connection-url", small.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true"));
            CompletableFuture<List<String>> sorted = Background.supply(() -> List.of(cluster.query("SELECT k, filler FROM small.s.t ORDER BY v DESC, k LIMIT 15000").toString()));
            new Verdict(cluster).on(Fault.TMPDIR_FULL, sorted, List.of(List.of()));
            assertThatThrownBy(sorted::join)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("topn_pushdown_enabled");
            assertThat(cluster.query("WITH SESSION small.topn_pushdown_enabled = false SELECT k, filler FROM small.s.t ORDER BY v DESC, k LIMIT 15000").getRowCount()).isEqualTo(15_000);
            assertAnswers("small");
            Leftovers.assertNone(small);
            cluster.query("DROP CATALOG small");
        }
    }

    @Test
    void testChangedAuthenticationPlugin()
    {
        CompletableFuture<List<String>> query = startAndHold(ReadPath.NATIVE, ANNAS);
        mysql.execute("ALTER USER anna IDENTIFIED WITH sha256_password BY 'apfel'");
        try {
            proxy.disarm();
            assertOutcome(Fault.AUTHENTICATION_PLUGIN_CHANGED, query, ReadPath.NATIVE);
            endSessionsOf("anna");
            assertOutcome(Fault.AUTHENTICATION_PLUGIN_CHANGED, start(ReadPath.NATIVE, ANNAS), ReadPath.NATIVE);
        }
        finally {
            mysql.execute("ALTER USER anna IDENTIFIED WITH caching_sha2_password BY 'apfel'");
        }
    }

    // As administrators do it: for some time both passwords are good.
    @Test
    void testRotatedPassword()
    {
        CompletableFuture<List<String>> query = startAndHold(ReadPath.NATIVE, ANNAS);
        mysql.execute("ALTER USER anna IDENTIFIED BY 'neu' RETAIN CURRENT PASSWORD");
        try {
            proxy.disarm();
            assertOutcome(Fault.PASSWORD_ROTATED, query, ReadPath.NATIVE);
            endSessionsOf("anna");
            assertOutcome(Fault.PASSWORD_ROTATED, start(ReadPath.NATIVE, ANNAS), ReadPath.NATIVE);
            mysql.execute("ALTER USER anna DISCARD OLD PASSWORD");
            endSessionsOf("anna");
            assertThatThrownBy(() -> read(ReadPath.NATIVE, ANNAS)).hasMessageContaining("Access denied for user 'anna'");
        }
        finally {
            mysql.execute("ALTER USER anna IDENTIFIED BY 'apfel'");
        }
        assertOutcome(Fault.PASSWORD_ROTATED, start(ReadPath.NATIVE, ANNAS), ReadPath.NATIVE);
    }

    @Test
    void testAbortedConnections()
    {
        assertAnswers(FAULTY);
        proxy.resetAll();
        assertAnswers(FAULTY);
        endSessionsOf("root");
        assertAnswers(FAULTY);
        Fault.ABORTED_CONNECTIONS.tried(true);
    }

    private void endSessionsOf(String user)
    {
        String sessions = "SELECT id FROM performance_schema.processlist WHERE user = '%s' AND command = 'Sleep'".formatted(user);
        List<String> ids = MysqlRows.read(mysql, sessions);
        ids.forEach(mysql::endSession);
        Await.until("the sessions have ended", () -> MysqlRows.read(mysql, sessions).stream().noneMatch(ids::contains));
    }
}
