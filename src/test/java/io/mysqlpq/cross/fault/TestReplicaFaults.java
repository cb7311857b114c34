package io.mysqlpq.cross.fault;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.cross.Leftovers;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import static io.mysqlpq.cross.fault.Fault.BLACK_HOLE;
import static io.mysqlpq.cross.fault.Fault.MAX_CONNECTIONS;
import static io.mysqlpq.cross.fault.Fault.SERVER_KILLED;
import static io.mysqlpq.cross.fault.Fault.SILENT_LOGIN;
import static org.assertj.core.api.Assertions.assertThat;

/** Lets one of a catalog's two replicas suffer. Queries of the other one do not notice it, and the next ones go there while it lasts. */
class TestReplicaFaults
        extends BaseFaultTest
{
    private static final String REPLICAS = "replicas";
    private static final ReadPath PATH = ReadPath.NATIVE;
    // The others can be seen only by who reads.
    private static final Set<Fault> SEEN_BY_POLLS = Set.of(SERVER_KILLED, MAX_CONNECTIONS, BLACK_HOLE, SILENT_LOGIN);

    // It is the primary too, which suffers in other tests.
    @AutoClose
    private final MysqlServer healthy = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();

    TestReplicaFaults()
    {
        super(MysqlServer.builder());
    }

    @BeforeAll
    void createCatalogs()
    {
        Leftovers.installRegistryTable(healthy);
        ReadPath.createTable(healthy, 1);
        for (MysqlServer server : List.of(mysql, healthy)) {
            server.execute("CREATE USER anna IDENTIFIED BY 'apfel'", "GRANT SELECT ON *.* TO anna");
        }
        createCatalog(REPLICAS, ImmutableMap.<String, String>builder()
                .putAll(SHORT_LIMITS)
                .put("connection-url", healthy.jdbcUrl() + "?sslMode=REQUIRED")
                .put("connection-user", "anna")
                .put("connection-password", "apfel")
                .put("replica-hosts", proxy.address() + "," + address(healthy))
                .put("throttle-poll-interval", "100ms")
                .put("replica-answer-timeout", "1s")
                .buildOrThrow());
    }

    private static String address(MysqlServer server)
    {
        return "127.0.0.1:" + server.port();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.INCLUDE, names = {
            "RESET_IN_MID_ROW",
            "SERVER_KILLED",
            "FAILOVER",
            "KILL_QUERY_OF_READER",
            "KILL_CONNECTION_OF_READER",
            "MAX_CONNECTIONS",
            "LOCK_WAIT_TIMEOUT",
            "BLACK_HOLE",
            "SILENT_LOGIN",
            "STALL",
            "STALL_PAST_WRITE_TIMEOUT",
            "BROKEN_TLS",
            "AUTHENTICATION_PLUGIN_CHANGED",
            "PASSWORD_ROTATED",
            "ABORTED_CONNECTIONS"})
    void testOneSuffers(Fault fault)
            throws SQLException
    {
        assertThat(readFrom(proxy.address())).isEqualTo(answer(PATH));
        try {
            try (Connection owner = mysql.connect(); Statement administrator = owner.createStatement()) {
                CompletableFuture<List<String>> suffering = provoke(fault, administrator);
                assertThat(readFrom(address(healthy))).isEqualTo(answer(PATH));
                assertOutcome(fault, suffering, PATH);
                for (int i = 0; i < 3 && SEEN_BY_POLLS.contains(fault); i++) {
                    assertThat(read(PATH, REPLICAS)).isEqualTo(answer(PATH));
                }
            }
        }
        finally {
            heal(fault);
        }
        Await.until("the replica is read again", Duration.ofSeconds(60), this::isReadAgain);
        assertThat(read(PATH, REPLICAS)).isEqualTo(answer(PATH));
    }

    private CompletableFuture<List<String>> provoke(Fault fault, Statement administrator)
            throws SQLException
    {
        return switch (fault) {
            case RESET_IN_MID_ROW -> struckBy(new NetworkFault.Reset(), BYTES_BEFORE_ROWS_END, 1);
            case STALL -> struckBy(new NetworkFault.Stall(Duration.ofSeconds(3)), BYTES_BEFORE_ROWS_END, ALL);
            case STALL_PAST_WRITE_TIMEOUT -> struckBy(new NetworkFault.Stall(Duration.ofSeconds(20)), BYTES_BEFORE_ROWS_END, ALL);
            case BROKEN_TLS -> struckBy(new NetworkFault.Corruption(), BYTES_BEFORE_ROWS_END, 1);
            case BLACK_HOLE -> {
                CompletableFuture<List<String>> held = held();
                proxy.arm(new NetworkFault.BlackHole(), 0, ALL);
                yield held;
            }
            case SILENT_LOGIN -> {
                proxy.resetAll();
                proxy.arm(new NetworkFault.BlackHole(), 0, ALL);
                yield startSuffering();
            }
            case SERVER_KILLED -> {
                CompletableFuture<List<String>> held = held();
                mysql.kill();
                proxy.disarm();
                yield held;
            }
            case FAILOVER -> {
                CompletableFuture<List<String>> held = held();
                proxy.redirect(healthy.port());
                proxy.resetAll();
                proxy.disarm();
                yield held;
            }
            case KILL_QUERY_OF_READER -> {
                CompletableFuture<List<String>> held = held();
                mysql.execute("KILL QUERY " + reader());
                proxy.disarm();
                yield held;
            }
            case KILL_CONNECTION_OF_READER -> {
                CompletableFuture<List<String>> held = held();
                mysql.execute("KILL CONNECTION " + reader());
                proxy.disarm();
                yield held;
            }
            case MAX_CONNECTIONS -> {
                administrator.execute("SET GLOBAL max_connections = 1");
                proxy.resetAll();
                yield startSuffering();
            }
            case LOCK_WAIT_TIMEOUT -> {
                administrator.execute("LOCK TABLES s.t WRITE");
                yield startSuffering();
            }
            case AUTHENTICATION_PLUGIN_CHANGED -> {
                mysql.execute("ALTER USER anna IDENTIFIED WITH sha256_password BY 'apfel'");
                proxy.resetAll();
                yield startSuffering();
            }
            case PASSWORD_ROTATED -> {
                mysql.execute("ALTER USER anna IDENTIFIED BY 'neu' RETAIN CURRENT PASSWORD");
                proxy.resetAll();
                yield startSuffering();
            }
            case ABORTED_CONNECTIONS -> {
                proxy.resetAll();
                yield startSuffering();
            }
            default -> throw new IllegalArgumentException(fault.toString());
        };
    }

    private void heal(Fault fault)
    {
        proxy.disarm();
        switch (fault) {
            case SERVER_KILLED -> mysql.restart();
            case FAILOVER -> {
                proxy.redirect(mysql.port());
                proxy.resetAll();
            }
            case BLACK_HOLE, SILENT_LOGIN -> proxy.resetAll();
            case MAX_CONNECTIONS -> mysql.execute("SET GLOBAL max_connections = DEFAULT");
            case AUTHENTICATION_PLUGIN_CHANGED, PASSWORD_ROTATED -> mysql.execute("ALTER USER anna IDENTIFIED WITH caching_sha2_password BY 'apfel'");
            default -> {}
        }
    }

    private CompletableFuture<List<String>> startSuffering()
    {
        return Background.supply(() -> readFrom(proxy.address()));
    }

    private CompletableFuture<List<String>> struckBy(NetworkFault fault, long afterBytes, int most)
    {
        proxy.arm(fault, afterBytes, most);
        CompletableFuture<List<String>> query = startSuffering();
        awaitStruck(1);
        return query;
    }

    private CompletableFuture<List<String>> held()
    {
        return struckBy(new NetworkFault.Stall(HELD), BYTES_BEFORE_ROWS_END, ALL);
    }

    private List<String> readFrom(String server)
    {
        return read(PATH, REPLICAS, Map.of("read_server", server));
    }

    private boolean isReadAgain()
    {
        try {
            return readFrom(proxy.address()).equals(answer(PATH));
        }
        catch (QueryFailedException e) {
            return false;
        }
    }
}
