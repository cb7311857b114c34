package io.mysqlpq.cross.fault;

import io.mysqlpq.cross.Leftovers;
import io.mysqlpq.cross.MysqlRows;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests that a network that fails while MySQL sends rows costs a query at most, and never an answer's truth. */
class TestNetworkFaults
        extends BaseFaultTest
{
    private static final String PATIENT = "patient";
    private static final String CUT_OFF = "cut_off";
    private static final String ENCRYPTED = "encrypted";

    // A server with another UUID, and other rows.
    @AutoClose
    private final MysqlServer other = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();

    TestNetworkFaults()
    {
        super(MysqlServer.builder());
    }

    @BeforeAll
    void createCatalogs()
    {
        Leftovers.installRegistryTable(other);
        ReadPath.createTable(other, 10_001);
        createCatalog(PATIENT, Map.of("net-write-timeout", "60m"));
        createCatalog(CUT_OFF, Map.of("net-write-timeout", "5s"));
        createCatalog(ENCRYPTED, Map.of("connection-url", proxy.jdbcUrl() + "?sslMode=REQUIRED"));
    }

    @ParameterizedTest
    @EnumSource
    void testReset(ReadPath path)
    {
        proxy.arm(new NetworkFault.Reset(), BYTES_BEFORE_ROWS_END, 1);
        CompletableFuture<List<String>> query = start(path, FAULTY);
        assertOutcome(Fault.RESET_IN_MID_ROW, query, path);
        assertThat(proxy.struck()).isEqualTo(1);
    }

    @Test
    void testBlackHole()
    {
        proxy.arm(new NetworkFault.BlackHole(), BYTES_BEFORE_ROWS_END, ALL);
        Map<ReadPath, CompletableFuture<List<String>>> queries = startAll(IMPATIENT);
        queries.forEach((path, query) -> assertOutcome(Fault.BLACK_HOLE, query, path));
        assertThat(proxy.struck()).isGreaterThanOrEqualTo(queries.size());
    }

    // New connections are accepted, and get no word of MySQL's.
    @Test
    void testSilentLogin()
    {
        assertAnswers(IMPATIENT);
        proxy.resetAll();
        proxy.arm(new NetworkFault.BlackHole(), 0, ALL);
        assertOutcome(Fault.SILENT_LOGIN, start(ReadPath.NATIVE, IMPATIENT), ReadPath.NATIVE);
        proxy.disarm();
        // Nothing waits for the swallowed connections. Between failed logins HikariCP pauses for up to 10 s, longer than this catalog waits.
        Await.until("a login succeeds", () -> isReadable(IMPATIENT));
        assertAnswers(IMPATIENT);
    }

    private boolean isReadable(String catalog)
    {
        try {
            return !read(ReadPath.DRIVER, catalog).isEmpty();
        }
        catch (QueryFailedException e) {
            assertThat(e).hasMessageContaining("No connection to MySQL within");
            return false;
        }
    }

    @Test
    void testStall()
    {
        proxy.arm(new NetworkFault.Stall(Duration.ofSeconds(10)), BYTES_BEFORE_ROWS_END, ALL);
        Map<ReadPath, CompletableFuture<List<String>>> queries = startAll(PATIENT);
        queries.forEach((path, query) -> assertOutcome(Fault.STALL, query, path));
        assertThat(proxy.struck()).isGreaterThanOrEqualTo(queries.size());
    }

    // MySQL gives up in the midst of rows, and what it had sent before still arrives.
    @Test
    void testStallPastWriteTimeout()
    {
        proxy.arm(new NetworkFault.Stall(Duration.ofSeconds(20)), BYTES_BEFORE_ROWS_END, ALL);
        Map<ReadPath, CompletableFuture<List<String>>> queries = startAll(CUT_OFF);
        queries.forEach((path, query) -> assertOutcome(Fault.STALL_PAST_WRITE_TIMEOUT, query, path));
        assertThat(proxy.struck()).isGreaterThanOrEqualTo(queries.size());
    }

    @ParameterizedTest
    @EnumSource
    void testBrokenTls(ReadPath path)
    {
        proxy.arm(new NetworkFault.Corruption(), BYTES_BEFORE_ROWS_END, 1);
        assertOutcome(Fault.BROKEN_TLS, start(path, ENCRYPTED), path);
        assertThat(proxy.struck()).isEqualTo(1);
    }

    // In a transaction that saw the first server nothing of the second may appear.
    @ParameterizedTest
    @EnumSource(names = {"DRIVER", "PACKETS", "NATIVE", "AGGREGATION", "ROW_IDS"})
    void testFailover(ReadPath path)
            throws SQLException
    {
        try (Connection connection = cluster.connect()) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            for (Map.Entry<String, String> property : path.session().entrySet()) {
                execute(connection, "SET SESSION %s.%s = %s".formatted(FAULTY, property.getKey(), property.getValue()));
            }
            assertThat(rows(connection, path)).isEqualTo(MysqlRows.read(mysql, path.mysqlSql()).size());
            failOverTo(other);
            assertThatThrownBy(() -> rows(connection, path)).hasMessageContaining("snapshot").hasMessageContaining("again");
            Fault.FAILOVER.tried(false);
            connection.rollback();
            assertThat(read(path, FAULTY)).isEqualTo(MysqlRows.read(other, path.mysqlSql()));
        }
        finally {
            failOverTo(mysql);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testFailoverWhileRowsAreRead(ReadPath path)
    {
        CompletableFuture<List<String>> query = startAndHold(path, FAULTY);
        try {
            failOverTo(other);
            proxy.disarm();
            assertOutcome(Fault.FAILOVER, query, path);
            assertThat(read(path, FAULTY)).isEqualTo(MysqlRows.read(other, path.mysqlSql()));
        }
        finally {
            failOverTo(mysql);
        }
    }

    // Idle connections stay where they are, and new ones lead to another server: what looks like one server is two. No answer is made from rows of both.
    @ParameterizedTest
    @EnumSource(names = {"DRIVER", "PACKETS", "NATIVE", "AGGREGATION", "ROW_IDS", "SQL_RANGES"})
    void testTwoServers(ReadPath path)
    {
        read(path, FAULTY);
        proxy.redirect(other.port());
        try {
            for (int i = 0; i < 5; i++) {
                proxy.resetHalf();
                new Verdict(cluster).on(Fault.TWO_SERVERS, start(path, FAULTY), List.of(MysqlRows.read(mysql, path.mysqlSql()), MysqlRows.read(other, path.mysqlSql())));
            }
            assertThat(Leftovers.sessions(other)).isPositive();
            Leftovers.assertNone(other);
        }
        finally {
            failOverTo(mysql);
        }
    }

    private void failOverTo(MysqlServer server)
    {
        proxy.redirect(server.port());
        proxy.resetAll();
    }

    private Map<ReadPath, CompletableFuture<List<String>>> startAll(String catalog)
    {
        Map<ReadPath, CompletableFuture<List<String>>> queries = new EnumMap<>(ReadPath.class);
        for (ReadPath path : ReadPath.values()) {
            queries.put(path, start(path, catalog));
        }
        return queries;
    }

    private static int rows(Connection connection, ReadPath path)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(path.sql(FAULTY))) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    private static void execute(Connection connection, String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
