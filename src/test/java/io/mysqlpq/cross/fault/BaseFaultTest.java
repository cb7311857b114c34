package io.mysqlpq.cross.fault;

import io.mysqlpq.cross.CrossCluster;
import io.mysqlpq.cross.Leftovers;
import io.mysqlpq.cross.MysqlRows;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.MysqlServerBuilder;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Runs Trino over MySQL through a proxy that fails, with short limits, and makes sure that no fault leaves anything behind. */
@TestInstance(PER_CLASS)
abstract class BaseFaultTest
{
    static final String FAULTY = "faulty";
    /** Its catalog soon gives up. */
    static final String IMPATIENT = "impatient";
    // More than a reply to metadata or planning has, less than a range.
    static final long BYTES_BEFORE_ROWS_END = 100_000;
    static final int ALL = Integer.MAX_VALUE;
    static final Duration HELD = Duration.ofMinutes(1);

    private static final Map<String, String> SETTINGS = Map.of(
            "target-rows-per-split", String.valueOf(ReadPath.ROWS_PER_RANGE),
            "net-write-timeout", "10s",
            "snapshot-session-timeout", "10s",
            "table-lock-timeout", "1m",
            "extension-probe-ttl", "1ms",
            // What an earlier query read comes through no network.
            "read-reuse-enabled", "false",
            // Faults strike after so many bytes.
            "native-scan-compression", "NONE");
    static final Map<String, String> SHORT_LIMITS = Map.of(
            "reply-timeout", "6s",
            "planning-timeout", "6s",
            "connection-wait-timeout", "4s",
            "mysql.connection-timeout", "2s",
            "net-write-timeout", "5s",
            "table-lock-timeout", "2s");

    final MysqlServer mysql;
    final FaultyProxy proxy;
    final CrossCluster cluster;
    private final Map<ReadPath, List<String>> answers = new EnumMap<>(ReadPath.class);
    private final Set<String> catalogs = new HashSet<>();

    BaseFaultTest(MysqlServerBuilder server)
    {
        mysql = server.extension(true).option("cte-max-recursion-depth", "1000000").start();
        proxy = new FaultyProxy(mysql.port());
        cluster = CrossCluster.parallel(mysql);
    }

    @BeforeAll
    final void createTable()
    {
        Leftovers.installRegistryTable(mysql);
        ReadPath.createTable(mysql, 1);
        for (ReadPath path : ReadPath.values()) {
            answers.put(path, MysqlRows.read(mysql, path.mysqlSql()));
        }
        createCatalog(FAULTY, Map.of());
        createCatalog(IMPATIENT, SHORT_LIMITS);
    }

    @AfterEach
    final void assertNothingIsLeft()
    {
        proxy.disarm();
        Leftovers.assertNone(mysql);
        catalogs.stream().filter(this::exists).forEach(Leftovers::assertNoPermit);
    }

    private boolean exists(String catalog)
    {
        return cluster.query("SHOW CATALOGS").getOnlyColumnAsSet().contains(catalog);
    }

    @AfterAll
    final void stop()
    {
        try {
            cluster.trino().close();
            catalogs.forEach(Leftovers::assertNoThread);
            Await.until("no connection is left", () -> proxy.openConnections() == 0 && Leftovers.sessions(mysql) == 0);
        }
        finally {
            proxy.close();
            cluster.close();
        }
    }

    /** A catalog over the proxy, with the default limits of waits but for these changes. */
    final void createCatalog(String name, Map<String, String> changes)
    {
        createCatalog(name, "mysql_pq", changes);
    }

    final void createCatalog(String name, String connector, Map<String, String> changes)
    {
        Map<String, String> properties = new HashMap<>(SETTINGS);
        properties.put("connection-url", proxy.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true");
        properties.putAll(changes);
        cluster.createCatalog(name, connector, properties);
        catalogs.add(name);
    }

    final CompletableFuture<List<String>> start(ReadPath path, String catalog)
    {
        return Background.supply(() -> read(path, catalog));
    }

    final List<String> read(ReadPath path, String catalog)
    {
        return read(path, catalog, Map.of());
    }

    final List<String> read(ReadPath path, String catalog, Map<String, String> properties)
    {
        Session.SessionBuilder session = Session.builder(cluster.trino().getDefaultSession());
        path.session().forEach((name, value) -> session.setCatalogSessionProperty(catalog, name, value));
        properties.forEach((name, value) -> session.setCatalogSessionProperty(catalog, name, value));
        return cluster.trino().execute(session.build(), path.sql(catalog)).getMaterializedRows().stream()
                .map(row -> MysqlRows.text(row.getFields()))
                .sorted()
                .toList();
    }

    /** Starts a query whose readers stand still in the midst of rows. */
    final CompletableFuture<List<String>> startAndHold(ReadPath path, String catalog)
    {
        proxy.arm(new NetworkFault.Stall(HELD), BYTES_BEFORE_ROWS_END, ALL);
        CompletableFuture<List<String>> query = start(path, catalog);
        awaitStruck(1);
        return query;
    }

    final void awaitStruck(int connections)
    {
        Await.until("the fault strikes", () -> proxy.struck() >= connections);
    }

    final List<String> answer(ReadPath path)
    {
        return answers.get(path);
    }

    final void assertOutcome(Fault fault, CompletableFuture<List<String>> query, ReadPath path)
    {
        new Verdict(cluster).on(fault, query, List.of(answers.get(path)));
    }

    final String reader()
    {
        List<String> readers = MysqlRows.read(mysql, "SELECT id FROM performance_schema.processlist WHERE command = 'Query' AND db IS NULL AND id <> CONNECTION_ID() AND info LIKE '%mysql_pq %'");
        assertThat(readers).isNotEmpty();
        return readers.getFirst();
    }

    final String donor()
    {
        List<String> donors = MysqlRows.read(mysql, "SELECT connection_id FROM information_schema.mysql_pq_snapshots");
        assertThat(donors).hasSize(1);
        return donors.getFirst();
    }

    /** Reads the table once by each path. */
    final void assertAnswers(String catalog)
    {
        for (ReadPath path : ReadPath.values()) {
            assertThat(read(path, catalog)).isEqualTo(answers.get(path));
        }
    }
}
