package io.mysqlpq.trino.connection;

import com.google.common.collect.ImmutableMap;
import com.mysql.cj.NativeSession;
import com.mysql.cj.jdbc.JdbcConnection;
import com.zaxxer.hikari.HikariDataSource;
import io.airlift.units.Duration;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.opentelemetry.api.OpenTelemetry;
import io.trino.node.InternalNode;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.Node;
import io.trino.spi.NodeManager;
import io.trino.spi.NodeVersion;
import io.trino.spi.QueryId;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.TestingConnectorSession;
import io.trino.testing.TestingNodeManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static com.mysql.cj.exceptions.MysqlErrorNumbers.ER_CON_COUNT_ERROR;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.concurrent.TimeUnit.SECONDS;
import static jdk.net.ExtendedSocketOptions.TCP_KEEPCOUNT;
import static jdk.net.ExtendedSocketOptions.TCP_KEEPIDLE;
import static jdk.net.ExtendedSocketOptions.TCP_KEEPINTERVAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestConnectionPools
{
    private static final java.time.Duration PROMPTLY = java.time.Duration.ofSeconds(20);

    // The Trino user names the MySQL account, and is its password too.
    private static final CredentialProvider BY_USER = new CredentialProvider() {
        @Override
        public Optional<String> getConnectionUser(Optional<ConnectorIdentity> identity)
        {
            return identity.map(ConnectorIdentity::getUser);
        }

        @Override
        public Optional<String> getConnectionPassword(Optional<ConnectorIdentity> identity)
        {
            return identity.map(ConnectorIdentity::getUser);
        }
    };

    private MysqlServer mysql;
    private ConnectionPools pools;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(false).start();
        mysql.execute("CREATE USER alice IDENTIFIED BY 'alice'", "CREATE USER bob IDENTIFIED BY 'bob'", "CREATE USER carol IDENTIFIED BY 'other'");
        pools = pools(ImmutableMap.of());
    }

    @AfterAll
    void stop()
    {
        pools.close();
        mysql.close();
    }

    @Test
    void testConnectionIsUsedAgain()
            throws Exception
    {
        String first;
        try (PooledConnection connection = open("alice")) {
            first = text(connection, "SELECT connection_id()");
        }
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT connection_id()")).isEqualTo(first);
        }
    }

    @Test
    void testAccountsShareNothing()
            throws Exception
    {
        try (PooledConnection alice = open("alice"); PooledConnection bob = open("bob")) {
            assertThat(text(alice, "SELECT current_user()")).startsWith("alice@");
            assertThat(text(bob, "SELECT current_user()")).startsWith("bob@");
        }
        try (PooledConnection bob = open("bob")) {
            assertThat(text(bob, "SELECT current_user()")).startsWith("bob@");
        }
    }

    /** A coordinator that reads nothing has no share of the readers' connections, also not for idle sessions of many accounts. */
    @Test
    void testIdleSessionsOfManyAccounts()
            throws Exception
    {
        List<String> accounts = List.of("one", "two", "three", "four", "five", "six");
        accounts.forEach(account -> mysql.execute("CREATE USER %1$s IDENTIFIED BY '%1$s'".formatted(account)));
        Node coordinator = new InternalNode("coordinator", URI.create("http://localhost"), NodeVersion.UNKNOWN, true);
        NodeManager nodes = TestingNodeManager.builder().localNode(coordinator).doNotScheduleOnCoordinator()
                .addNode(new InternalNode("worker", URI.create("http://localhost:1"), NodeVersion.UNKNOWN, false))
                .build();
        ConnectionConfig config = config(5).setMaxConnectionsPerServer(6);
        // One for planning, three for readers, and two for snapshots.
        NodeConnections node = TestingConnections.node(config, nodes);
        ConnectionPools many = new ConnectionPools(TestingConnections.CATALOG, login(), config, BY_USER, node, new EndedQueries(), OpenTelemetry.noop());
        try {
            for (String account : accounts) {
                many.openForSnapshot(session(account)).close();
                assertThat(many.getIdle()).isLessThanOrEqualTo(3);
            }
            Await.until("the others are gone", PROMPTLY, () -> sessions("user IN ('one', 'two', 'three', 'four', 'five', 'six')") <= 3);
        }
        finally {
            many.close();
        }
    }

    @Test
    void testWrongPasswordFailsAtOnce()
    {
        assertThatThrownBy(() -> open("carol")).isInstanceOf(SQLException.class).hasMessageContaining("Access denied");
    }

    @Test
    void testSessionIsSetUp()
            throws Exception
    {
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT @@net_write_timeout")).isEqualTo("1234");
            assertThat(text(connection, "SELECT @@transaction_read_only")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            autocommit;                0;                   1
            transaction_isolation;     'READ-COMMITTED';    REPEATABLE-READ
            transaction_read_only;     0;                   1
            time_zone;                 '+05:00';            +00:00
            sql_mode;                  'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'; ''
            character_set_results;     'latin1';            utf8mb4
            sql_select_limit;          3;                   18446744073709551615
            completion_type;           'CHAIN';            NO_CHAIN
            wait_timeout;              7;                   1234
            net_write_timeout;         7;                   1234
            lock_wait_timeout;         7;                   5
            show_gipk_in_create_table_and_information_schema; 0; 1
            """)
    void testPoisonedSessionIsSetUpAnew(String variable, String poison, String expected)
            throws Exception
    {
        String first;
        try (PooledConnection connection = open("alice")) {
            first = text(connection, "SELECT connection_id()");
            try (Statement statement = connection.connection().createStatement()) {
                statement.execute("SET SESSION %s = %s".formatted(variable, variable.equals("autocommit") || poison.matches("[0-9]+") ? poison : "'" + poison + "'"));
            }
        }
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT connection_id()")).isEqualTo(first);
            assertThat(text(connection, "SELECT @@SESSION." + variable)).isEqualTo(expected);
        }
    }

    // With it go its snapshot and its locks.
    @Test
    void testOpenTransactionEndsWithItsSession()
            throws Exception
    {
        String id;
        try (PooledConnection connection = open("alice")) {
            id = text(connection, "SELECT connection_id()");
            try (Statement statement = connection.connection().createStatement()) {
                statement.execute("START TRANSACTION READ ONLY");
            }
        }
        Await.until("the session is gone", PROMPTLY, () -> sessions("id = " + id) == 0);
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT connection_id()")).isNotEqualTo(id);
        }
    }

    // Between HikariCP's own checks.
    @Test
    void testSessionThatMysqlEndedIsReplaced()
            throws Exception
    {
        for (int i = 0; i < 20; i++) {
            String id;
            try (PooledConnection connection = open("alice")) {
                id = text(connection, "SELECT connection_id()");
            }
            mysql.execute("KILL " + id);
            try (PooledConnection connection = open("alice")) {
                assertThat(text(connection, "SELECT connection_id()")).isNotEqualTo(id);
            }
        }
    }

    @Test
    void testDiscardedConnectionEndsInMysql()
            throws Exception
    {
        ConnectorSession session = session("alice");
        PooledConnection connection = pools.open(session);
        String id = text(connection, "SELECT connection_id()");
        Thread reader = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> text(connection, "SELECT SLEEP(100) /*mysql_pq %s*/".formatted(session.getQueryId()))).isInstanceOf(SQLException.class));
        Await.until("the statement runs", () -> sessions("id = %s AND info LIKE 'SELECT SLEEP%%'".formatted(id)) == 1);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        connection.whenReturned(() -> ended.complete(null));
        connection.discard();
        // Whoever counts sessions counts it until then.
        ended.join();
        assertThat(sessions("id = %s AND command <> 'Killed'".formatted(id))).isZero();
        Await.until("the session is gone", PROMPTLY, () -> sessions("id = " + id) == 0);
        reader.join();
        try (PooledConnection next = open("alice")) {
            assertThat(text(next, "SELECT connection_id()")).isNotEqualTo(id);
        }
    }

    /** The pool lends whoever ends the session a connection that MySQL has ended too, before HikariCP looks. */
    @Test
    @Timeout(60)
    void testDiscardedConnectionEndsThoughAnotherOneIsLost()
            throws Exception
    {
        ConnectionPools fresh = pools(ImmutableMap.of());
        ConnectorSession session = session("alice");
        try {
            PooledConnection connection = fresh.open(session);
            String id = text(connection, "SELECT connection_id()");
            Thread reader = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> text(connection, "SELECT SLEEP(100) /*mysql_pq %s*/".formatted(session.getQueryId()))).isInstanceOf(SQLException.class));
            Await.until("the statement runs", () -> sessions("id = %s AND info LIKE 'SELECT SLEEP%%'".formatted(id)) == 1);
            CompletableFuture<Void> ended = new CompletableFuture<>();
            connection.whenReturned(() -> ended.complete(null));
            try (PooledConnection other = fresh.open(session("alice"))) {
                mysql.endSession(text(other, "SELECT connection_id()"));
            }
            connection.discard();
            ended.join();
            assertThat(sessions("id = %s AND command <> 'Killed'".formatted(id))).isZero();
            reader.join();
        }
        finally {
            fresh.close();
        }
    }

    // The same holds after a failover to another server, or a restart, which both give session ids anew.
    @Test
    void testSessionOfAnotherQueryIsNotEnded()
            throws Exception
    {
        try (Connection other = mysql.connect(); QueryKiller killer = new QueryKiller("test"); HikariDataSource account = new HikariDataSource()) {
            account.setJdbcUrl(mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true");
            account.setUsername("root");
            long id = Long.parseLong(text(other, "SELECT connection_id()"));
            CompletableFuture<String> statement = Background.supply(() -> textUnchecked(other, "SELECT SLEEP(5) /*mysql_pq one_query*/"));
            Await.until("the statement runs", () -> sessions("id = %s AND info LIKE 'SELECT SLEEP%%'".formatted(id)) == 1);
            killer.kill(account, id, new QueryId("another_query"), () -> {});
            assertThat(statement.get(30, SECONDS)).isEqualTo("0");
        }
    }

    @Test
    @Timeout(30)
    void testSilenceEndsARead()
            throws Exception
    {
        ConnectionPools impatient = TestingConnections.pools(url(mysql), config(10).setReplyTimeout(new Duration(1, SECONDS)), BY_USER);
        try (PooledConnection connection = openUnchecked(impatient)) {
            assertThatThrownBy(() -> text(connection, "SELECT SLEEP(60)")).hasRootCauseInstanceOf(SocketTimeoutException.class);
            assertThat(connection.connection().isClosed()).isTrue();
        }
        finally {
            impatient.close();
        }
    }

    /** Not a matter of reply-timeout, which begins when the session is set up. */
    @Test
    @Timeout(60)
    void testSilenceWhileASessionIsSetUp()
            throws Exception
    {
        ConnectionPools waiting = TestingConnections.pools(url(mysql), config(2), BY_USER);
        openUnchecked(waiting).close();
        try {
            mysql.freeze();
            assertTrinoExceptionThrownBy(() -> openUnchecked(waiting)).hasErrorCode(MYSQL_PQ_CONNECTION_WAIT_TIMEOUT).hasMessageContaining("connection-wait-timeout");
        }
        finally {
            mysql.thaw();
            waiting.close();
        }
    }

    /** Waiting helps against none of them. */
    @Test
    @Timeout(20)
    void testLockedAccountFailsAtOnce()
    {
        mysql.execute("CREATE USER locked IDENTIFIED BY 'locked' ACCOUNT LOCK");
        assertThatThrownBy(() -> open("locked")).isInstanceOf(SQLException.class).hasMessageContaining("locked");
        mysql.execute("DROP USER locked");
    }

    @Test
    void testDeadPeersAreLookedFor()
            throws Exception
    {
        ConnectionPools watching = TestingConnections.pools(new DriverLogin(Optional.empty(), url(mysql), ImmutableMap.of("socketFactory", KeepAliveSockets.class.getName())), config(10), BY_USER);
        try (PooledConnection connection = openUnchecked(watching)) {
            Socket socket = ((NativeSession) connection.connection().unwrap(JdbcConnection.class).getSession()).getProtocol().getSocketConnection().getMysqlSocket();
            assertThat(socket.getKeepAlive()).isTrue();
            int seconds = socket.getOption(TCP_KEEPIDLE) + socket.getOption(TCP_KEEPCOUNT) * socket.getOption(TCP_KEEPINTERVAL);
            assertThat(seconds).isEqualTo(60);
        }
        finally {
            watching.close();
        }
    }

    @Test
    void testManyWaitersForASilentServer()
            throws Exception
    {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ConnectionPools waiting = TestingConnections.pools(new DriverLogin(Optional.empty(), "jdbc:mysql://localhost:" + silent.getLocalPort(), ImmutableMap.of("connectTimeout", "1000")), config(2).setReplyTimeout(new Duration(3, SECONDS)), BY_USER);
            List<CompletableFuture<PooledConnection>> waiters = IntStream.range(0, 8).mapToObj(_ -> Background.supply(() -> openUnchecked(waiting))).toList();
            for (CompletableFuture<PooledConnection> waiter : waiters) {
                // One after the other they would take 8 times the limit.
                assertThatThrownBy(() -> waiter.get(10, SECONDS)).hasRootCauseInstanceOf(Exception.class).hasMessageContaining("connection-wait-timeout");
            }
            waiting.close();
        }
    }

    @Test
    void testWaitsForAFullServer()
            throws Exception
    {
        try (MysqlServer full = MysqlServer.builder().extension(false).option("max_connections", "1").start()) {
            full.execute("CREATE USER alice IDENTIFIED BY 'alice'");
            ConnectionPools patient = TestingConnections.pools(url(full), config(30), BY_USER);
            Connection taken = connectWhenPossible(full);
            // The server keeps one connection more for administrators.
            Connection reserved = connectWhenPossible(full);
            CompletableFuture<PooledConnection> waiter = Background.supply(() -> openUnchecked(patient));
            assertThatThrownBy(() -> waiter.get(2, SECONDS)).isInstanceOf(TimeoutException.class);
            taken.close();
            reserved.close();
            waiter.get(30, SECONDS).close();
            patient.close();
        }
    }

    @Test
    void testOtherUsersOfJdbcKeepTheirLoginTimeout()
            throws Exception
    {
        int before = DriverManager.getLoginTimeout();
        ConnectionPools others = pools(ImmutableMap.of());
        others.open(session("alice")).close();
        others.close();
        assertThat(DriverManager.getLoginTimeout()).isEqualTo(before);
    }

    /** A reader holds a permit, so it must not wait for what plans queries. */
    @Test
    void testLostConnectionIsReplacedAtOnce()
            throws Exception
    {
        ConnectionPools few = TestingConnections.pools(url(mysql), config(5).setMaxConnectionsPerServer(3), BY_USER);
        try (PooledConnection _ = few.openForPlanning(session("alice")); PooledConnection asking = few.openInPlaceOfLost(session("alice"))) {
            assertThat(text(asking, "SELECT 1")).isEqualTo("1");
            assertTrinoExceptionThrownBy(() -> few.openBriefly(session("alice"))).hasErrorCode(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT);
        }
        finally {
            few.close();
        }
    }

    /** The connector's own threads, which plan splits, are not interrupted. */
    @Test
    @Timeout(60)
    void testQueryThatEndedWaitsNoMore()
            throws Exception
    {
        EndedQueries ended = new EndedQueries();
        // Nothing but the query's end is to end the wait.
        ConnectionConfig config = config(3600).setMaxConnectionsPerServer(3);
        ConnectionPools few = new ConnectionPools(TestingConnections.CATALOG, login(), config, BY_USER, TestingConnections.node(config), ended, OpenTelemetry.noop());
        ConnectorSession waiting = session("alice");
        try (PooledConnection _ = few.openForPlanning(session("alice"))) {
            CompletableFuture<PooledConnection> turn = Background.supply(() -> openUnchecked(() -> few.openForTurnOfPlanning(waiting)));
            CompletableFuture<PooledConnection> planning = Background.supply(() -> openUnchecked(() -> few.openForPlanning(waiting)));
            // Somebody else's query.
            ended.cleanupQuery(session("alice"));
            assertThatThrownBy(() -> CompletableFuture.anyOf(turn, planning).get(1, SECONDS)).isInstanceOf(TimeoutException.class);
            ended.cleanupQuery(waiting);
            assertThatThrownBy(() -> turn.get(10, SECONDS)).hasMessageContaining("The query has ended");
            assertThatThrownBy(() -> planning.get(10, SECONDS)).hasMessageContaining("The query has ended");
        }
        // The permit is free, and those that gave up hold none.
        few.openForPlanning(session("alice")).close();
        few.close();
    }

    /** Whoever asks so goes on without. */
    @Test
    @Timeout(30)
    void testBriefWaitForPlanning()
            throws Exception
    {
        ConnectionPools few = TestingConnections.pools(url(mysql), config(3600).setMaxConnectionsPerServer(3), BY_USER);
        try (PooledConnection _ = few.openForPlanning(session("alice"))) {
            assertTrinoExceptionThrownBy(() -> few.openBriefly(session("bob"))).hasErrorCode(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT).hasMessage("No connection for planning was free within 1.00s");
        }
        few.openBriefly(session("bob")).close();
        few.close();
    }

    // Who asks to be told may come late.
    @Test
    @Timeout(30)
    void testEndIsToldOnce()
            throws Exception
    {
        for (boolean discarded : List.of(false, true)) {
            PooledConnection connection = pools.openForSnapshot(session("alice"));
            AtomicInteger before = new AtomicInteger();
            AtomicInteger after = new AtomicInteger();
            connection.whenReturned(before::incrementAndGet);
            if (discarded) {
                connection.discard();
            }
            connection.close();
            Await.until("it is told", () -> before.get() == 1);
            connection.whenReturned(after::incrementAndGet);
            connection.discard();
            connection.close();
            assertThat(before).hasValue(1);
            assertThat(after).hasValue(1);
        }
    }

    @Test
    void testPlanningDoesNotWaitForever()
            throws Exception
    {
        String stuck;
        try (PooledConnection connection = pools.openForPlanning(session("bob"))) {
            stuck = text(connection, "SELECT connection_id()");
            assertThatThrownBy(() -> text(connection, "SELECT SLEEP(100) /*mysql_pq %s*/".formatted(session("bob").getQueryId()))).isInstanceOf(SQLException.class);
        }
        Await.until("the session is gone", PROMPTLY, () -> sessions("id = " + stuck) == 0);
        String id;
        try (PooledConnection connection = pools.openForPlanning(session("bob"))) {
            id = text(connection, "SELECT connection_id()");
        }
        try (PooledConnection connection = open("bob")) {
            assertThat(text(connection, "SELECT connection_id()")).isEqualTo(id);
            // Longer than planning may wait, for reading.
            assertThat(text(connection, "SELECT SLEEP(3)")).isEqualTo("0");
        }
    }

    @Test
    void testBrokenConnectionIsNotUsedAgain()
            throws Exception
    {
        try (PooledConnection connection = open("alice")) {
            String id = text(connection, "SELECT connection_id()");
            mysql.execute("KILL " + id);
            assertThatThrownBy(() -> text(connection, "SELECT 1")).isInstanceOf(SQLException.class);
        }
        try (PooledConnection connection = open("alice")) {
            assertThat(text(connection, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void testWaitTimeout()
            throws Exception
    {
        try (MysqlServer full = MysqlServer.builder().extension(false).option("max_connections", "1").start()) {
            full.execute("CREATE USER alice IDENTIFIED BY 'alice'");
            ConnectionPools patient = TestingConnections.pools(url(full), config(30), BY_USER);
            ConnectionPools tight = TestingConnections.pools(url(full), config(1), BY_USER);
            try (PooledConnection _ = patient.open(session("alice"))) {
                assertTrinoExceptionThrownBy(() -> tight.open(session("alice")))
                        .hasErrorCode(MYSQL_PQ_CONNECTION_WAIT_TIMEOUT)
                        .hasMessageContaining("connection-wait-timeout");
            }
            finally {
                tight.close();
                patient.close();
            }
        }
    }

    // A session that was closed just now may still count.
    private static Connection connectWhenPossible(MysqlServer full)
            throws SQLException
    {
        long start = System.nanoTime();
        while (true) {
            try {
                return full.connect();
            }
            catch (SQLException e) {
                if (e.getErrorCode() != ER_CON_COUNT_ERROR || System.nanoTime() - start > SECONDS.toNanos(30)) {
                    throw e;
                }
            }
        }
    }

    private PooledConnection open(String user)
            throws SQLException
    {
        return pools.open(session(user));
    }

    private ConnectionPools pools(Map<String, String> properties)
    {
        return TestingConnections.pools(new DriverLogin(Optional.empty(), url(mysql), properties), config(5), BY_USER);
    }

    private static PooledConnection openUnchecked(ConnectionPools pools)
    {
        return openUnchecked(() -> pools.open(session("alice")));
    }

    private static PooledConnection openUnchecked(Callable<PooledConnection> open)
    {
        try {
            return open.call();
        }
        catch (RuntimeException e) {
            throw e;
        }
        catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConnectorSession session(String user)
    {
        return TestingConnectorSession.builder().setIdentity(ConnectorIdentity.ofUser(user)).build();
    }

    private DriverLogin login()
    {
        return new DriverLogin(Optional.empty(), url(mysql), ImmutableMap.of());
    }

    private static String url(MysqlServer server)
    {
        return server.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    private static ConnectionConfig config(int waitSeconds)
    {
        return TestingConnections.config(4, new Duration(waitSeconds, SECONDS))
                .setPlanningTimeout(new Duration(2, SECONDS))
                .setReplyTimeout(new Duration(60, SECONDS))
                .setConnectionIdleTimeout(new Duration(10, SECONDS))
                .setConnectionMaxLifetime(new Duration(60, SECONDS))
                .setNetWriteTimeout(new Duration(1234, SECONDS))
                .setTableLockTimeout(new Duration(5, SECONDS));
    }

    private long sessions(String condition)
    {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM information_schema.processlist WHERE " + condition)) {
            rows.next();
            return rows.getLong(1);
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String textUnchecked(Connection connection, String sql)
    {
        try {
            return text(connection, sql);
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(PooledConnection connection, String sql)
            throws SQLException
    {
        return text(connection.connection(), sql);
    }

    private static String text(Connection connection, String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
